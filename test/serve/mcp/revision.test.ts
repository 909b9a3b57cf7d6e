import { SUPPORTED_PROTOCOL_VERSIONS } from "@modelcontextprotocol/server";
import { describe, expect, it } from "vitest";
import { legacyRevisions, modernRevision } from "../../../src/serve/mcp/server-card.ts";
import { callOf, modernCallOf, modernHeaders, modernMeta, postMcp } from "../../support/mcp-message.ts";
import { hashOf } from "../../support/sample.ts";
import { openServer } from "../../support/server.ts";

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
    // A client of the newest revision was here before. What the server remembers of it must not let these messages in.
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
