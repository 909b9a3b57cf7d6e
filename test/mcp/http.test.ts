import { connect } from "node:net";
import { SUPPORTED_PROTOCOL_VERSIONS } from "@modelcontextprotocol/server";
import { describe, expect, it } from "vitest";
import { legacyRevisions, modernRevision } from "../../src/mcp/tool-request.ts";
import { defer } from "../support/deferred.ts";
import { both, callOf, modernCallOf, modernHeaders, modernMeta, postMcp } from "../support/mcp-message.ts";
import { caseFileOf, hashOf } from "../support/sample.ts";
import { openServer } from "../support/server.ts";

const initialize = (protocolVersion: string) => ({
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion, capabilities: {}, clientInfo: { name: "raw", version: "1" } },
});

describe("revisions", () => {
  it("that count as plain are those of the SDK", () => {
    expect([...legacyRevisions].toSorted()).toEqual([...SUPPORTED_PROTOCOL_VERSIONS].toSorted());
    expect(legacyRevisions.has(modernRevision)).toBe(false);
  });

  it.each([...legacyRevisions])("%s: initialize, then a call", async (revision) => {
    const { app } = openServer();
    const opened = await postMcp(app, initialize(revision));
    expect(opened.json().result).toMatchObject({ protocolVersion: revision, serverInfo: { name: "txgloss" } });
    expect(opened.headers["mcp-session-id"]).toBeUndefined();
    const noted = await postMcp(
      app,
      { jsonrpc: "2.0", method: "notifications/initialized" },
      { "mcp-protocol-version": revision },
    );
    expect([noted.statusCode, noted.body]).toEqual([202, ""]);
    const called = await postMcp(app, callOf(), { "mcp-protocol-version": revision });
    expect(called.json().result.structuredContent.tx_hash).toBe(hashOf(1));
    expect(called.json().result.resultType).toBeUndefined();
  });

  it("2026-07-28: discovery, then a call, without a handshake", async () => {
    const { app } = openServer();
    const discover = { jsonrpc: "2.0", id: "d", method: "server/discover", params: { _meta: modernMeta } };
    const found = await postMcp(app, discover, modernHeaders("", "server/discover"));
    expect(found.json().result).toMatchObject({
      supportedVersions: ["2026-07-28"],
      capabilities: { tools: {}, resources: {} },
      resultType: "complete",
    });
    const called = await postMcp(app, modernCallOf(), modernHeaders());
    expect(called.json().result).toMatchObject({
      resultType: "complete",
      structuredContent: { tx_hash: hashOf(1) },
      _meta: { "io.modelcontextprotocol/serverInfo": { name: "txgloss", version: "0.0.0-test" } },
    });
  });

  it("tells for how long its lists hold", async () => {
    const { app } = openServer();
    const list = { jsonrpc: "2.0", id: 1, method: "tools/list", params: { _meta: modernMeta } };
    const { result } = (await postMcp(app, list, modernHeaders("", "tools/list"))).json();
    expect(result).toMatchObject({ ttlMs: 300_000, cacheScope: "public" });
  });

  it("takes a bare call without any handshake", async () => {
    const response = await postMcp(openServer().app, callOf());
    expect([response.statusCode, response.json().id]).toEqual([200, 1]);
    expect(response.headers["content-type"]).toBe("application/json; charset=utf-8");
  });

  it.each([
    ["an unknown revision in the header", callOf(), { "mcp-protocol-version": "1999-01-01" }, -32000],
    [
      "an unknown revision in both",
      modernCallOf({ _meta: { "io.modelcontextprotocol/protocolVersion": "2099-01-01" } }),
      { ...modernHeaders(), "mcp-protocol-version": "2099-01-01" },
      -32022,
    ],
    ["a method header that disagrees", modernCallOf(), { ...modernHeaders(), "mcp-method": "tools/list" }, -32020],
    ["a name header that disagrees", modernCallOf(), { ...modernHeaders(), "mcp-name": "buy_pass" }, -32020],
    ["no name header", modernCallOf(), { ...modernHeaders(), "mcp-name": undefined }, -32020],
    ["no revision header", modernCallOf(), { ...modernHeaders(), "mcp-protocol-version": undefined }, -32020],
    [
      "no capabilities",
      callOf({ _meta: { "io.modelcontextprotocol/protocolVersion": "2026-07-28" } }),
      modernHeaders(),
      -32602,
    ],
    [
      "capabilities that are none",
      modernCallOf({ _meta: { "io.modelcontextprotocol/clientCapabilities": 1 } }),
      modernHeaders(),
      -32602,
    ],
    ["the header alone", callOf(), modernHeaders(), -32602],
  ] as const)("refuses %s", async (_what, message, headers, code) => {
    const { app, gathered } = openServer();
    // A client of the newest revision was here before: what is remembered of it must not let these in.
    await postMcp(app, modernCallOf({ arguments: {} }), modernHeaders());
    const response = await postMcp(app, message, headers);
    expect([response.statusCode, response.json().error.code]).toEqual([400, code]);
    expect(gathered).toEqual([]);
  });

  it("answers a method that the newest revision does not have with 404 and -32601", async () => {
    const ping = { jsonrpc: "2.0", id: 1, method: "ping", params: { _meta: modernMeta } };
    const response = await postMcp(openServer().app, ping, modernHeaders("", "ping"));
    expect([response.statusCode, response.json().error.code]).toEqual([404, -32601]);
  });
});

describe("what is wrong with the request itself", () => {
  it.each([
    ["no Accept", undefined],
    ["only JSON", "application/json"],
    ["only events", "text/event-stream"],
    ["anything", "*/*"],
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

  it("takes both in any order, case and weight", async () => {
    const accept = "Text/Event-Stream;q=0.5 , application/json; charset=utf-8";
    expect((await postMcp(openServer().app, callOf(), { accept })).statusCode).toBe(200);
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

describe("connections", () => {
  it.each([
    ["modern", { headers: { ...both, ...modernHeaders() }, message: modernCallOf() }],
    ["legacy", { headers: both, message: callOf() }],
  ])("a stop lets a %s message under way in the SDK get its answer", async (_name, { headers, message }) => {
    const [arrived, gathered] = [defer<void>(), defer<void>()];
    const { app } = openServer({
      fastPath: false,
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
