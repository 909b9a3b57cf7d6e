import { describe, expect, it } from "vitest";
import { createOriginGuard } from "../../src/mcp/origin-guard.ts";

describe("who may call", () => {
  const names = { host: "127.0.0.1", hosts: ["Svc.example", "[2001:db8::1]"], origins: ["https://App.example"] };
  const hostReason = "The Host header names another host.";
  const pageReason = "Pages of this origin may not call this server.";
  const verdictOf = (options: object, headers: object) => {
    const verdict = createOriginGuard({ ...names, ...options })(headers as never);
    return verdict.allowed ? (verdict.origin ?? "allowed") : verdict.reason;
  };

  it.each([
    ["localhost", "allowed"],
    ["LOCALHOST:8080", "allowed"],
    ["127.0.0.1:8080", "allowed"],
    ["127.255.0.9", "allowed"],
    ["[::1]:8080", "allowed"],
    ["svc.EXAMPLE:", "allowed"],
    ["[2001:db8::1]", "allowed"],
    ["[2001:db8::2]", hostReason],
    ["127.0.0.1.example", hostReason],
    ["127.0.0", hostReason],
    ["svc.example:8a", hostReason],
    ["other.example", hostReason],
    ["", hostReason],
    [undefined, hostReason],
  ])("by the name %s: %s", (host, verdict) => {
    expect(verdictOf({}, { host })).toBe(verdict);
    // Where the service listens on all addresses, anybody may reach it by any name.
    expect(verdictOf({ host: "0.0.0.0" }, { host })).toBe("allowed");
  });

  it("by its own name where that is one of this machine's", () => {
    for (const host of ["localhost", "::1", "127.0.0.2"]) {
      expect(verdictOf({ host, hosts: [] }, { host: "other.example" })).toBe(hostReason);
      expect(verdictOf({ host, hosts: [] }, { host: "localhost" })).toBe("allowed");
    }
  });

  it.each([
    ["https://app.example", true, true],
    ["HTTPS://APP.example", true, true],
    ["https://app.example:8443", false, false],
    ["https://other.example", false, false],
    ["http://localhost:3000", true, false],
    ["http://127.0.0.1", true, false],
    ["http://[::1]:1", true, false],
    ["null", false, false],
    ["localhost", false, false],
  ])("from pages of %s: on this machine %s, elsewhere %s", (origin, here, elsewhere) => {
    const host = "localhost";
    expect(verdictOf({}, { host, origin })).toBe(here ? origin : pageReason);
    expect(verdictOf({ host: "0.0.0.0" }, { host, origin })).toBe(elsewhere ? origin : pageReason);
    expect(verdictOf({ origins: ["*"] }, { host, origin })).toBe(origin);
  });

  it("by each name anew, whatever was good before", () => {
    const judge = createOriginGuard(names);
    expect(["localhost", "other.example", "localhost"].map((host) => judge({ host }).allowed)).toEqual([
      ...[true, false, true],
    ]);
  });
});
