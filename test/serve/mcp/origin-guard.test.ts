import { describe, expect, it } from "vitest";
import { createOriginGuard } from "../../../src/serve/mcp/endpoint.ts";
import { callOf, postMcp } from "../../support/mcp-message.ts";
import { openServer } from "../../support/server.ts";

describe("pages and hosts that may call", () => {
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
    // If the service listens on all addresses, anybody may reach it by any name.
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

  it("are checked by each name again, no matter what was allowed before", () => {
    const judge = createOriginGuard(names);
    expect(["localhost", "other.example", "localhost"].map((host) => judge({ host }).allowed)).toEqual([
      ...[true, false, true],
    ]);
  });
});

describe("the origin guard", () => {
  const page = "https://app.example";
  it.each([
    ["its own page", "127.0.0.1", { origin: "http://localhost:6274" }, 200],
    ["an address of this machine", "127.0.0.1", { origin: "http://127.0.0.1:1", host: "127.0.0.1:8080" }, 200],
    ["IPv6", "::1", { origin: "http://[::1]:1", host: "[::1]:8080" }, 200],
    ["a foreign page", "127.0.0.1", { origin: page }, 403],
    ["a page without an origin", "127.0.0.1", { origin: "null" }, 403],
    ["an origin that is none", "127.0.0.1", { origin: "localhost" }, 403],
    ["a page whose name begins alike", "127.0.0.1", { origin: "http://localhost.evil.example" }, 403],
    ["a name that was rebound", "127.0.0.1", { host: "evil.example" }, 403],
    ["a rebound name with a port", "localhost", { host: "evil.example:8080" }, 403],
    ["no name", "127.0.0.1", { host: ":80" }, 403],
    ["any host where everybody can reach it", "0.0.0.0", { host: "txgloss.example" }, 200],
    ["a page of this machine where everybody can reach it", "0.0.0.0", { origin: "http://localhost:1" }, 403],
  ] as const)("%s, listening on %s: %j → %i", async (_what, host, headers, status) => {
    const { app, gathered } = openServer({ host });
    const response = await postMcp(app, callOf(), headers);
    expect(response.statusCode).toBe(status);
    if (status === 403) expect([response.json().error.code, gathered]).toEqual([-32000, []]);
  });

  it("lets in the hosts and pages that are set up", async () => {
    const { app } = openServer({ mcpHosts: ["txgloss.example"], mcpOrigins: [page] });
    const response = await postMcp(app, callOf(), { host: "TXGLOSS.example:443", origin: page });
    expect(response.statusCode).toBe(200);
    expect(response.headers["access-control-allow-origin"]).toBe(page);
    expect((await postMcp(app, callOf(), { origin: "https://other.example" })).statusCode).toBe(403);
    const any = openServer({ host: "0.0.0.0", mcpOrigins: ["*"] }).app;
    expect((await postMcp(any, callOf(), { origin: "null" })).statusCode).toBe(200);
  });

  it("answers the question that a browser asks before", async () => {
    const { app } = openServer({ mcpOrigins: [page] });
    const ask = (origin: string) =>
      app.inject({ method: "OPTIONS", url: "/mcp", headers: { host: "localhost", origin } });
    const allowed = await ask(page);
    expect(allowed.statusCode).toBe(204);
    expect(allowed.headers).toMatchObject({
      "access-control-allow-origin": page,
      "access-control-allow-headers": expect.stringMatching(/MCP-Protocol-Version.*Mcp-Method.*Mcp-Name/),
      vary: "Origin",
    });
    expect((await ask("https://other.example")).statusCode).toBe(403);
  });
});
