import { connect } from "node:net";
import { describe, expect, it } from "vitest";
import { defer } from "../../support/deferred.ts";
import { both, callOf, modernCallOf, modernHeaders, modernMeta, postMcp } from "../../support/mcp-message.ts";
import { caseFileOf, hashOf } from "../../support/sample.ts";
import { openServer } from "../../support/server.ts";

describe("what is wrong with the request itself", () => {
  it.each([
    ["only JSON", "application/json"],
    ["only events", "text/event-stream"],
    ["anything but JSON", "*/*, application/json;q=0"],
    ["names that only begin alike", "application/jsonx, text/event-streams"],
  ])("Accept: %s → 406, in both eras", async (_what, accept) => {
    const { app, gathered } = openServer();
    for (const [message, headers] of [
      [callOf(), {}],
      [modernCallOf(), modernHeaders()],
    ] as const) {
      const response = await postMcp(app, message, { ...headers, accept });
      expect([response.statusCode, response.json()]).toEqual([
        406,
        { jsonrpc: "2.0", id: null, error: { code: -32000, message: expect.stringContaining("Accept") } },
      ]);
    }
    expect(gathered).toEqual([]);
  });

  it.each([
    ["both in any order, case and weight", "Text/Event-Stream;q=0.5 , application/json; charset=utf-8"],
    ["anything", "*/*"],
    ["everything of both kinds", "application/*, text/*"],
    ["no header", undefined],
  ])("takes %s", async (_what, accept) => {
    const { app } = openServer();
    expect((await postMcp(app, callOf(), { accept })).statusCode).toBe(200);
    expect((await postMcp(app, modernCallOf(), { ...modernHeaders(), accept })).statusCode).toBe(200);
  });

  it("shows a message that is read where the content type is missing", async () => {
    const { app } = openServer();
    const { accept } = both;
    const refused = await app.inject({ method: "POST", url: "/mcp", headers: { accept }, payload: "{}" });
    expect([refused.statusCode, refused.json().error.code]).toEqual([415, -32_000]);
    const [, type, payload] = /Content-Type: (\S+), (.+)$/.exec(refused.json().error.message) ?? [];
    const headers = { accept, "content-type": `${type}` };
    const right = await app.inject({ method: "POST", url: "/mcp", headers, payload: `${payload}` });
    expect(right.json().result.tools.length).toBeGreaterThan(0);
  });

  it.each([
    ["half a message", '{"jsonrpc":"2.0",'],
    ["no body", ""],
    ["text", "hello"],
  ])("answers %s with -32700", async (_what, body) => {
    const response = await postMcp(openServer().app, body);
    expect([response.statusCode, response.json().error.code, response.json().id]).toEqual([400, -32700, null]);
  });

  it.each([
    ["a number", 1],
    ["null", null],
    ["an object that is no message", { hello: 1 }],
    ["another version of JSON-RPC", { ...callOf(), jsonrpc: "1.0" }],
    ["an id that is an object", callOf({}, {})],
    ["a batch", [callOf(), callOf({}, 2)]],
    ["an empty batch", []],
    ["a batch of the newest revision", [modernCallOf()]],
  ])("refuses %s with -32600", async (_what, message) => {
    const { app, gathered } = openServer();
    const response = await postMcp(app, message);
    expect([response.statusCode, response.json().error.code]).toEqual([400, -32600]);
    expect(gathered).toEqual([]);
  });

  it.each([
    ["another type", { "content-type": "text/plain" }, 415],
    ["no type", { "content-type": undefined }, 415],
    ["a compressed body", { "content-encoding": "gzip" }, 415],
    ["no compression by name", { "content-encoding": "identity" }, 200],
    ["a charset", { "content-type": "application/json; charset=utf-8" }, 200],
  ])("%s → the right status", async (_what, headers, status) => {
    const response = await postMcp(openServer().app, callOf(), headers);
    expect(response.statusCode).toBe(status);
    if (status !== 200) expect(response.json().error.code).toBe(-32000);
  });

  it("refuses more than 64 KiB and takes a payment's size", async () => {
    const { app } = openServer();
    const large = await postMcp(app, callOf({ _meta: { filler: "x".repeat(70_000) } }));
    expect([large.statusCode, large.json().error.code]).toEqual([413, -32000]);
    expect((await postMcp(app, callOf({ _meta: { filler: "x".repeat(20_000) } }))).statusCode).toBe(200);
  });

  it("refuses what is nested so deep that reading it would exhaust the stack", async () => {
    const { app, lines } = openServer();
    const nest = (open: string, levels: number, close: string) => open.repeat(levels) + 1 + close.repeat(levels);
    const deep = [nest("[", 30_000, "]"), nest('{"a":', 10_000, "}"), nest("[", 200, "]")];
    const places = [
      callOf({ arguments: { tx_hash: "DEEP" } }),
      callOf({ _meta: { "x402/payment": "DEEP" } }),
      modernCallOf({ _meta: { "io.modelcontextprotocol/clientCapabilities": { experimental: { a: "DEEP" } } } }),
      { jsonrpc: "2.0", id: 1, result: "DEEP" },
    ];
    for (const message of places) {
      for (const value of deep) {
        const response = await postMcp(app, JSON.stringify(message).replace('"DEEP"', value), modernHeaders());
        expect([response.statusCode, response.json().error.code]).toEqual([400, -32600]);
      }
    }
    const fine = JSON.stringify(callOf({ _meta: { x: "DEEP" } })).replace('"DEEP"', nest("[", 100, "]"));
    expect((await postMcp(app, fine)).statusCode).toBe(200);
    const text = callOf({ _meta: { x: '[[["{{{\\'.repeat(500) } });
    expect((await postMcp(app, text)).statusCode).toBe(200);
    expect(lines.filter(({ level }) => level === "error")).toEqual([]);
  });

  it.each(["GET", "DELETE", "PUT"] as const)("%s is not allowed", async (method) => {
    const response = await openServer().app.inject({ method, url: "/mcp", headers: { host: "localhost", ...both } });
    expect([response.statusCode, response.headers.allow]).toEqual([405, "OPTIONS, POST"]);
  });
});

describe("connections", () => {
  it.each([
    ["modern", { headers: { ...both, ...modernHeaders() }, message: modernCallOf() }],
    ["legacy", { headers: both, message: callOf() }],
  ])("a stop lets a %s message under way in the SDK get its answer", async (_name, { headers, message }) => {
    const [arrived, gathered] = [defer<void>(), defer<void>()];
    const { app } = openServer({
      gather: async (hash) => {
        arrived.resolve();
        await gathered.promise;
        return caseFileOf(hash);
      },
    });
    const url = await app.listen({ host: "127.0.0.1", port: 0 });
    const answered = fetch(`${url}/mcp`, { method: "POST", headers, body: JSON.stringify(message) });
    await arrived.promise;
    const closed = app.close();
    while (app.server.listening) await new Promise((resolve) => setImmediate(resolve));
    gathered.resolve();
    const response = await answered;
    expect([response.status, await response.json()]).toMatchObject([
      200,
      { result: { structuredContent: { tx_hash: hashOf(1) } } },
    ]);
    app.server.closeAllConnections();
    await closed;
  });

  it("ends a subscription to nothing at once, and a stop does not wait for a client that went away", async () => {
    const arrived = defer<void>();
    const { app } = openServer({
      gather: async (hash) => {
        arrived.resolve();
        return caseFileOf(hash);
      },
    });
    const url = await app.listen({ host: "127.0.0.1", port: 0 });
    const listen = {
      jsonrpc: "2.0",
      id: 1,
      method: "subscriptions/listen",
      params: { _meta: modernMeta, notifications: {} },
    };
    const headers = { ...both, ...modernHeaders("", "subscriptions/listen") };
    const stream = await fetch(`${url}/mcp`, { method: "POST", headers, body: JSON.stringify(listen) });
    expect(stream.headers.get("content-type")).toContain("text/event-stream");
    expect(await stream.text()).toContain("notifications/subscriptions/acknowledged");

    const body = JSON.stringify(callOf());
    const socket = connect(Number(new URL(url).port), "127.0.0.1", () => {
      const lines = Object.entries({ host: "localhost", ...both, "content-length": body.length });
      socket.end(
        `POST /mcp HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}`).join("\r\n")}\r\n\r\n${body}`,
      );
    });
    await arrived.promise;
    socket.destroy();
    await app.close();
    expect(app.server.listening).toBe(false);
  });
});
