import { describe, expect, it } from "vitest";
import { watchForwarding } from "../../../src/serve/access/quota/visitors.ts";

const from = (remoteAddress: string | undefined, headers: Record<string, string> = {}) => ({
  connection: { remoteAddress },
  headers,
});
const named = { "x-forwarded-for": "192.0.2.1" };

describe("a forwarded request", () => {
  it.each<[string, string[], string | undefined, Record<string, string>, boolean]>([
    ["comes straight", [], "203.0.113.7", {}, false],
    ["comes over a proxy, and none is named", [], "127.0.0.1", named, true],
    ["comes over another proxy than is named", ["10.0.0.0/8"], "203.0.113.7", named, true],
    ["comes over the proxy that is named", ["10.0.0.0/8"], "10.1.2.3", named, false],
    ["comes over the proxy on this machine, which is named", ["loopback"], "::ffff:127.0.0.1", named, false],
    ["comes from nobody knows where", ["loopback"], undefined, named, true],
    ["names its sender in another header", [], "127.0.0.1", { forwarded: "for=192.0.2.1" }, true],
    ["names its sender in a third header", [], "127.0.0.1", { "x-real-ip": "192.0.2.1" }, true],
    ["names a proxy of its sender", [], "203.0.113.7", { via: "1.1 office" }, false],
    ["has an empty header", [], "203.0.113.7", { "x-forwarded-for": "" }, true],
  ])("%s", (_name, trust, remote, headers, expected) => {
    const watch = watchForwarding(trust);
    expect(watch.isUntrusted(from(remote, headers))).toBe(expected);
    expect(watch.untrustedSince() !== null).toBe(expected);
  });

  it("is remembered for an hour after the last one, since the first one", () => {
    let now = 1_000;
    const watch = watchForwarding([], () => now);
    const see = () => watch.isUntrusted(from("127.0.0.1", named));
    expect(watch.untrustedSince()).toBeNull();
    see();
    now += 3_599_999;
    see();
    expect(watch.untrustedSince()).toBe(1_000);
    now += 3_599_999;
    expect(watch.untrustedSince()).toBe(1_000);
    now += 1;
    expect(watch.untrustedSince()).toBeNull();
    see();
    expect(watch.untrustedSince()).toBe(now);
  });
});
