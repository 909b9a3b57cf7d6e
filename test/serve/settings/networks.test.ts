import { describe, expect, it } from "vitest";
import { readNetworks } from "../../../src/serve/settings/networks.ts";

describe("networks", () => {
  it("hold what they name, with both ends, and nothing beside it", () => {
    const list = readNetworks(["10.0.0.0/8", "192.0.2.7", "2001:db8::/32", "fe80::1", "loopback"]);
    const inside = ["10.0.0.0", "10.255.255.255", "192.0.2.7", "127.0.0.1", "127.255.255.255"];
    const outside = ["9.255.255.255", "11.0.0.0", "192.0.2.8", "128.0.0.0"];
    expect([...inside, ...outside].filter((address) => list.check(address, "ipv4"))).toEqual(inside);
    const inside6 = ["2001:db8::1", "fe80::1", "::1"];
    expect([...inside6, "2001:db9::1", "fe80::2", "::2"].filter((address) => list.check(address, "ipv6"))).toEqual(
      inside6,
    );
    expect(readNetworks([]).check("127.0.0.1")).toBe(false);
    expect(readNetworks(["0.0.0.0/0", "10.0.0.0/32"]).check("203.0.113.9")).toBe(true);
    expect(readNetworks(["::/128"]).check("::1", "ipv6")).toBe(false);
  });

  it.each(["10.0.0.0/33", "::/129", "10.0.0.0/8/8", "10.0.0.0/", "10.0.0.0/x", "10.0.0", "localhost", ""])(
    "are not %j",
    (text) => {
      expect(() => readNetworks(["loopback", text])).toThrow(
        `${JSON.stringify(text)} is no IP address, no network such as 10.0.0.0/8 and not "loopback".`,
      );
    },
  );
});
