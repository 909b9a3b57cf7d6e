import { describe, expect, it } from "vitest";
import { createHostCheck } from "../../../src/serve/http/host-guard.ts";
import { hashOf } from "../../support/sample.ts";
import { openServer } from "../../support/server.ts";

describe("the names of a service that listens on its own machine", () => {
  it("are those of the machine, and those that are set up", () => {
    const isOwn = createHostCheck({ host: "127.0.0.1", hosts: ["Svc.example"] });
    const names = [
      "localhost",
      "127.0.0.1:8080",
      "[::1]:1",
      "SVC.example:443",
      "evil.example",
      "localhost.evil.example",
      "",
    ];
    expect(names.map(isOwn)).toEqual([true, true, true, true, false, false, false]);
    expect(isOwn("localhost")).toBe(true);
    expect(createHostCheck({ host: "0.0.0.0", hosts: [] })("evil.example")).toBe(true);
  });
});

describe("a page that resolves its name to this machine", () => {
  const evil = { host: "evil.example:8080" };
  const body = { tx_hash: hashOf(1) };
  const post = (url: string) => ({ method: "POST", url, payload: body }) as const;

  it("reads nothing here, by any path, while its visitor can", async () => {
    const { app, gathered } = openServer({ guarded: true, host: "127.0.0.1", mcpHosts: ["svc.example"] });
    const asked = [
      ...["/healthz", "/readyz", "/metrics", "/openapi.json", "/nothing"].map((url) => ({ url })),
      ...[post("/explain"), post("/explain/batch"), post("/evidence"), post("/pass")],
      { method: "OPTIONS" as const, url: "/explain" },
    ];
    for (const one of asked) {
      const refused = await app.inject({ ...one, headers: evil });
      expect([refused.statusCode, refused.json().error], one.url).toEqual([403, "foreign_host"]);
      expect(refused.headers["access-control-allow-origin"], one.url).toBeUndefined();
    }
    expect(gathered).toEqual([]);
    for (const host of ["localhost:8080", "127.0.0.1", "svc.example"]) {
      expect((await app.inject({ ...post("/explain"), headers: { host } })).statusCode, host).toBe(200);
      expect((await app.inject({ url: "/metrics", headers: { host } })).statusCode, host).toBe(200);
    }
    // The endpoint of MCP says it in its own words.
    const message = { jsonrpc: "2.0", id: 1, method: "tools/list" };
    const told = await app.inject({ method: "POST", url: "/mcp", payload: message, headers: evil });
    expect([told.statusCode, told.json().error.code]).toEqual([403, -32000]);
  });

  it("is like anybody else where everybody reaches the service", async () => {
    const { app } = openServer({ guarded: true, host: "0.0.0.0" });
    expect((await app.inject({ ...post("/explain"), headers: evil })).statusCode).toBe(200);
  });
});
