import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ServiceError } from "../../../src/kernel/error.ts";
import { envelopeOf } from "../../../src/serve/mcp/envelope-memory.ts";
import { readToolRequest } from "../../../src/serve/mcp/tool-request.ts";
import { both, callOf, modernCallOf, modernHeaders, modernMeta, postMcp } from "../../support/mcp-message.ts";
import { caseFileOf, explanationOf, hashOf } from "../../support/sample.ts";
import { openServer } from "../../support/server.ts";

/** The same server twice: one uses the fast path, the other never does. */
function openBoth() {
  const gather = async (hash: string) => {
    if (hash === hashOf(0xe1)) throw new ServiceError("transaction_not_found");
    return caseFileOf(hash as ReturnType<typeof hashOf>);
  };
  const explanation = (hash: ReturnType<typeof hashOf>) =>
    explanationOf(hash, { summary: 'Somebody sent 1 “Ünïcode ☂ \\" token”.', gas_paid_usd: null });
  const [fast, slow] = [true, false].map((fastPath) => openServer({ gather, explanation, fastPath }).app);
  return { fast: fast as NonNullable<typeof fast>, slow: slow as NonNullable<typeof slow> };
}

type Headers = Record<string, string | undefined>;

async function expectSame(servers: ReturnType<typeof openBoth>, message: unknown, headers: Headers): Promise<void> {
  const [fast, slow] = await Promise.all([
    postMcp(servers.fast, message, headers),
    postMcp(servers.slow, message, headers),
  ]);
  expect(fast.body).toBe(slow.body);
  expect(fast.statusCode).toBe(slow.statusCode);
  expect(fast.headers["content-type"]).toBe(slow.headers["content-type"]);
}

const ids = [0, -1, 2 ** 53 - 1, "", "a", '☂\u2028"\\', 1.5, null, true, {}];
const argumentsOf: unknown[] = [
  { tx_hash: hashOf(1) },
  { tx_hash: hashOf(0xe1) },
  { tx_hash: `0x${"AB".repeat(32)}` },
  { tx_hash: "☂" },
  { tx_hash: hashOf(1), extra: 1 },
  { tx_hash: hashOf(1), detail: "summary" },
  { tx_hash: hashOf(0xe1), detail: "summary" },
  { tx_hash: hashOf(1), detail: "full" },
  { tx_hash: hashOf(1), detail: "x" },
  {},
  undefined,
  null,
  [],
  "x",
];
const metas: unknown[] = [
  undefined,
  {},
  { "svc/pass": "svc_x", other: { deep: [1] } },
  { progressToken: 7 },
  { progressToken: {} },
  { progressToken: 1.5 },
  { "io.modelcontextprotocol/related-task": { taskId: "t" } },
  null,
  [],
];
const names: unknown[] = ["explain_transaction", "buy_pass", "nothing", "", 5, undefined];
const changes: object[] = [{}, { task: { ttl: 1 } }, { inputResponses: {} }, { requestState: "x" }, { more: 1 }];
const envelopes: object[] = [
  {},
  { "io.modelcontextprotocol/clientInfo": undefined },
  { "io.modelcontextprotocol/clientInfo": null },
  { "io.modelcontextprotocol/clientInfo": { name: "x" } },
  { "io.modelcontextprotocol/clientCapabilities": { roots: { listChanged: true }, experimental: { a: {} } } },
  { "io.modelcontextprotocol/clientCapabilities": { roots: 1 } },
  { "io.modelcontextprotocol/clientCapabilities": null },
  { "io.modelcontextprotocol/logLevel": "debug" },
  { "io.modelcontextprotocol/logLevel": 1 },
  { "io.modelcontextprotocol/protocolVersion": "2025-11-25" },
  { "io.modelcontextprotocol/unheard-of": 1 },
];

const anyLegacy = fc.record({
  id: fc.constantFrom(...ids),
  name: fc.constantFrom(...names),
  given: fc.constantFrom(...argumentsOf),
  meta: fc.constantFrom(...metas),
  change: fc.constantFrom(...changes),
  headers: fc.constantFrom<Headers>(
    {},
    { "mcp-protocol-version": "2025-11-25" },
    { "mcp-protocol-version": "2024-11-05" },
    { "mcp-protocol-version": "2026-07-28" },
    { "mcp-protocol-version": "x" },
    { "mcp-method": "tools/call" },
    { "mcp-name": "buy_pass" },
  ),
});

const anyModern = fc.record({
  id: fc.constantFrom(...ids),
  name: fc.constantFrom("explain_transaction", "buy_pass", "nothing"),
  given: fc.constantFrom(...argumentsOf.slice(0, 11)),
  meta: fc.constantFrom({}, { "svc/pass": "svc_x" }, { progressToken: "p" }, { progressToken: {} }),
  envelope: fc.constantFrom(...envelopes),
  change: fc.constantFrom(...changes),
  headers: fc.constantFrom<Headers>(
    {},
    {},
    {},
    { "mcp-name": "=?base64?ZXhwbGFpbl90cmFuc2FjdGlvbg==?=" },
    { "mcp-name": undefined },
    { "mcp-method": "tools/list" },
    { "mcp-protocol-version": "2025-11-25" },
    { "mcp-protocol-version": undefined },
  ),
});

describe("the fast path and the SDK", () => {
  it("give the same bytes for the same call of the earlier revisions", async () => {
    const servers = openBoth();
    await fc.assert(
      fc.asyncProperty(anyLegacy, ({ id, name, given, meta, change, headers }) =>
        expectSame(
          servers,
          callOf({ name, arguments: given, ...(meta === undefined ? {} : { _meta: meta }), ...change }, id),
          headers,
        ),
      ),
      { numRuns: 400 },
    );
  });

  it("give the same bytes for the same call of the newest revision", async () => {
    const servers = openBoth();
    await fc.assert(
      fc.asyncProperty(anyModern, ({ id, name, given, meta, envelope, change, headers }) => {
        const message = modernCallOf({ name, arguments: given, ...change, _meta: { ...meta, ...envelope } }, id);
        return expectSame(servers, message, { ...modernHeaders(name), ...headers });
      }),
      { numRuns: 400 },
    );
  });

  it("give the bytes of POST /explain as structuredContent and as text, cold and remembered", async () => {
    const { fast, slow } = openBoth();
    for (const app of [fast, slow, fast, slow]) {
      const headers = { "content-type": "application/json" };
      const payload = JSON.stringify({ tx_hash: hashOf(1) });
      const explained = (await app.inject({ method: "POST", url: "/explain", headers, payload })).body;
      for (const response of [await postMcp(app, callOf()), await postMcp(app, modernCallOf(), modernHeaders())]) {
        expect(response.body).toContain(`"structuredContent":${explained}`);
        expect(response.json().result.content[1].text).toBe(explained);
      }
    }
  });
});

describe("readToolRequest", () => {
  const read = (message: unknown, headers: Headers, knows = true) =>
    readToolRequest(message, { ...both, ...headers }, () => knows)?.era;

  it("takes what real clients send", () => {
    expect(read(callOf(), {})).toBe("legacy");
    expect(read(callOf({ _meta: { progressToken: 1 } }), { "mcp-protocol-version": "2025-11-25" })).toBe("legacy");
    expect(read(modernCallOf(), modernHeaders())).toBe("modern");
  });

  it("leaves an envelope that the SDK has not taken yet to the SDK", () => {
    expect(read(modernCallOf(), modernHeaders(), false)).toBeUndefined();
  });

  it("asks about capabilities and client, and tells an absent client from one that is null", () => {
    const asked: string[] = [];
    for (const client of [undefined, null, { name: "x", version: "1" }]) {
      const meta: Record<string, unknown> = { ...modernMeta, "io.modelcontextprotocol/clientInfo": client };
      if (client === undefined) delete meta["io.modelcontextprotocol/clientInfo"];
      readToolRequest(callOf({ _meta: meta }), modernHeaders(), (meta) => asked.push(envelopeOf(meta)) > 0);
    }
    expect(new Set(asked).size).toBe(3);
  });
});
