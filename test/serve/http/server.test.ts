import { connect } from "node:net";
import { describe, expect, it } from "vitest";
import { defer } from "../../support/deferred.ts";
import { explanationOf, hashOf } from "../../support/sample.ts";
import { compileSchema } from "../../support/schema.ts";
import { openServer } from "../../support/server.ts";

const json = { "content-type": "application/json" };
const isError = compileSchema("error");
const isHealth = compileSchema("health");

describe("paths and methods", () => {
  it.each([
    ["GET", "/"],
    ["POST", "/nope"],
    ["GET", "/explain/"],
    ["DELETE", "/explain/x?y=1"],
    ["OPTIONS", "/nope"],
    ["GET", "/%zz"],
  ] as const)("answers %s %s with not_found", async (method, url) => {
    const { app } = openServer();
    const response = await app.inject({ method, url });
    expect([response.statusCode, response.json().error]).toEqual([404, "not_found"]);
    expect(isError(response.json())).toBe(true);
  });

  it("does not let a strange body hide that the path is unknown", async () => {
    const { app } = openServer();
    const response = await app.inject({
      method: "POST",
      url: "/nope",
      headers: { "content-type": "text/x" },
      payload: "x",
    });
    expect([response.statusCode, response.json().error]).toEqual([404, "not_found"]);
  });

  it.each([
    ["GET", "/explain", "POST, OPTIONS"],
    ["PUT", "/explain?x=1", "POST, OPTIONS"],
    ["POST", "/healthz", "GET, HEAD, OPTIONS"],
    ["DELETE", "/openapi.json", "GET, HEAD, OPTIONS"],
  ] as const)("answers %s %s with method_not_allowed", async (method, url, allow) => {
    const { app } = openServer();
    const response = await app.inject({ method, url });
    expect([response.statusCode, response.json().error]).toEqual([405, "method_not_allowed"]);
    expect(response.headers.allow).toBe(allow);
    expect(isError(response.json())).toBe(true);
  });

  it("tells the methods of a path to OPTIONS", async () => {
    const { app } = openServer();
    const response = await app.inject({ method: "OPTIONS", url: "/explain" });
    expect([response.statusCode, response.headers.allow, response.body]).toEqual([204, "POST, OPTIONS", ""]);
  });

  it("knows the methods of a route that another transport adds", async () => {
    const { app } = openServer();
    app.post("/other", async () => "ok");
    const response = await app.inject({ method: "GET", url: "/other" });
    expect([response.statusCode, response.headers.allow]).toEqual([405, "POST, OPTIONS"]);
  });

  it.each(["/healthz", "/openapi.json"])("answers HEAD %s without a body", async (url) => {
    const { app } = openServer();
    const response = await app.inject({ method: "HEAD", url });
    expect([response.statusCode, response.body]).toEqual([200, ""]);
  });

  it.each(["/healthz", "/openapi.json"])("refuses %s to a caller that does not accept JSON", async (url) => {
    const { app } = openServer();
    const response = await app.inject({ url, headers: { accept: "text/html, application/json;q=0" } });
    expect([response.statusCode, response.json().error]).toEqual([406, "not_acceptable"]);
  });

  it("answers bytes that are not HTTP with 400 and a code, and hangs up", async () => {
    const { app } = openServer();
    await app.listen({ host: "127.0.0.1", port: 0 });
    const { port } = app.server.address() as { port: number };
    const heard = defer<string>();
    let text = "";
    const socket = connect(port, "127.0.0.1", () => socket.write("not http\r\n\r\n"));
    socket.on("data", (chunk) => {
      text += chunk;
    });
    socket.on("close", () => heard.resolve(text));
    expect(await heard.promise).toMatch(
      /^HTTP\/1\.1 400 Bad Request\r\n[\s\S]*\r\n\r\n\{"error":"unreadable_request",/,
    );
    await app.close();
  });
});

describe("GET /healthz", () => {
  it("tells version, ruleset, chain head and outcomes", async () => {
    const now = Math.floor(Date.now() / 1000);
    const { app } = openServer({
      readHead: async () => ({ number: 42, timestamp: now - 7 }),
      explanation: (hash) => explanationOf(hash, hash === hashOf(2) ? { status: "reverted" } : {}),
    });
    const post = (payload: string) => app.inject({ method: "POST", url: "/explain", headers: json, payload });
    await post(JSON.stringify({ tx_hash: hashOf(1) }));
    await post(JSON.stringify({ tx_hash: hashOf(1) }));
    await post(JSON.stringify({ tx_hash: hashOf(2) }));
    await post("{}");
    await post("x".repeat(5000));
    const body = (await app.inject({ url: "/healthz" })).json();
    expect(isHealth(body), JSON.stringify(isHealth.errors)).toBe(true);
    expect(body).toMatchObject({ status: "ok", version: "0.0.0-test", ruleset: "r1", chain_head: { number: 42 } });
    expect(body.chain_head.age_seconds).toBeGreaterThanOrEqual(7);
    expect(body.chain_head.age_seconds).toBeLessThan(30);
    expect(body.explanations).toEqual({ success: 2, reverted: 1, invalid_tx_hash: 1, body_too_large: 1 });
  });

  it("is healthy without a chain, and never tells a negative age", async () => {
    const none = (await openServer().app.inject({ url: "/healthz" })).json();
    expect(none).toMatchObject({ status: "ok", chain_head: null, explanations: { success: 0, reverted: 0 } });
    expect(isHealth(none)).toBe(true);
    const ahead = openServer({ readHead: async () => ({ number: 1, timestamp: Date.now() }) });
    const body = (await ahead.app.inject({ url: "/healthz" })).json();
    expect(body.chain_head.age_seconds).toBe(0);
  });
});
