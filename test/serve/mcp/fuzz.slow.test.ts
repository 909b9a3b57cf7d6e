import { randomInt } from "node:crypto";
import fc from "fast-check";
import type { FastifyInstance } from "fastify";
import { describe, expect, it } from "vitest";
import { callOf, modernCallOf, modernHeaders, modernMeta, postMcp } from "../../support/mcp-message.ts";
import { openMeteredServer, payTo } from "../../support/metered-server.ts";
import { openServer } from "../../support/server.ts";

const methods = [
  "tools/call",
  "tools/list",
  "initialize",
  "ping",
  "server/discover",
  "resources/list",
  "resources/read",
  "resources/templates/list",
  "subscriptions/listen",
  "notifications/initialized",
  "notifications/cancelled",
  "prompts/get",
  "logging/setLevel",
  "tasks/get",
  "completion/complete",
  "__proto__",
];
const templates: Record<string, unknown>[] = [
  callOf(),
  modernCallOf(),
  callOf({ _meta: { "x402/payment": payment(), "svc/pass": `svc_${"0".repeat(24)}_${"0".repeat(64)}` } }),
  modernCallOf({ name: "buy_pass", arguments: {}, _meta: { "x402/payment": payment() } }),
  { jsonrpc: "2.0", id: 1, method: "tools/list", params: { _meta: modernMeta } },
  {
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "x", version: "1" } },
  },
  { jsonrpc: "2.0", id: 1, method: "resources/read", params: { uri: "txgloss://rules" } },
  {
    jsonrpc: "2.0",
    id: 1,
    method: "subscriptions/listen",
    params: { _meta: modernMeta, notifications: { toolsListChanged: true } },
  },
  { jsonrpc: "2.0", method: "notifications/initialized" },
  { jsonrpc: "2.0", id: 1, result: {} },
];

/** A message in which one field, at any depth, is replaced, removed or added. */
const anyMutant = fc
  .tuple(
    fc.constantFrom(...templates),
    fc.nat(),
    fc.jsonValue({ maxDepth: 2 }),
    fc.constantFrom("set", "drop", "add"),
    fc.constantFrom(...methods),
  )
  .map(([template, at, value, how, method]) => {
    const message = structuredClone(template);
    if (at % 3 === 0) message.method = method;
    const places = listPlaces(message);
    const [holder, key] = places[at % places.length] as [Record<string, unknown>, string];
    if (how === "drop") delete holder[key];
    else holder[how === "add" ? `${key}x` : key] = value;
    return JSON.stringify(message);
  });

/** A message with some of its characters gone or doubled. */
const anyBroken = fc
  .tuple(fc.constantFrom(...templates), fc.nat(), fc.nat({ max: 30 }))
  .map(([template, at, length]) => {
    const text = JSON.stringify(template);
    const start = at % text.length;
    return at % 2 === 0
      ? text.slice(0, start) + text.slice(start + length)
      : text.slice(0, start + length) + text.slice(start);
  });

const anyBody = fc.oneof(
  { weight: 6, arbitrary: anyMutant },
  { weight: 2, arbitrary: anyBroken },
  { weight: 1, arbitrary: fc.json() },
  { weight: 1, arbitrary: fc.string({ unit: "binary" }) },
  { weight: 1, arbitrary: fc.array(anyMutant, { maxLength: 3 }).map((items) => `[${items.join(",")}]`) },
);

const headerText = fc.oneof(
  fc.constantFrom(
    "2026-07-28",
    "2025-11-25",
    "tools/call",
    "explain_transaction",
    "=?base64?%?=",
    "=?base64?eA==?=",
    "a, b",
  ),
  fc.string({
    unit: fc.integer({ min: 33, max: 255 }).map((code) => String.fromCharCode(code)),
    minLength: 1,
    maxLength: 20,
  }),
);
const anyHeaders = fc.oneof(
  fc.constantFrom({}, modernHeaders(), modernHeaders("", "tools/list"), { "mcp-protocol-version": "2025-11-25" }),
  fc.dictionary(
    fc.constantFrom(
      "mcp-protocol-version",
      "mcp-method",
      "mcp-name",
      "mcp-session-id",
      "last-event-id",
      "accept",
      "content-type",
      "origin",
      "payment-signature",
      "x-svc-pass",
      "content-encoding",
    ),
    headerText,
    { maxKeys: 3 },
  ),
);

/** Sends so many messages and looks at each answer. */
async function storm(app: FastifyInstance, numRuns: number): Promise<void> {
  const seed = randomInt(2 ** 31);
  await fc.assert(
    fc.asyncProperty(anyBody, anyHeaders, async (body, headers) => {
      const response = await postMcp(app, body, headers);
      expect(response.statusCode).toBeLessThan(500);
      if (response.statusCode === 202) {
        expect(response.body).toBe("");
        return;
      }
      if (String(response.headers["content-type"]).startsWith("text/event-stream")) return;
      const answer = response.json();
      if (response.statusCode === 402) {
        expect(answer).toMatchObject({ x402Version: 2, error: expect.any(String) });
        return;
      }
      expect(answer.jsonrpc).toBe("2.0");
      if (answer.error === undefined)
        expect(answer).toMatchObject({ id: expect.anything(), result: expect.any(Object) });
      else expect(answer.error).toMatchObject({ code: expect.any(Number), message: expect.any(String) });
    }),
    { numRuns, seed },
  );
}

describe("random and mutated messages end in JSON-RPC or in a clear HTTP error, never in 5xx", () => {
  it("10,000 where all is free", { timeout: 180_000 }, async () => {
    const { app, lines } = openServer();
    await storm(app, 10_000);
    expect(lines.filter(({ level }) => level === "error")).toEqual([]);
    await app.close();
  });

  it("2,000 where it is charged and no chain answers", { timeout: 180_000 }, async () => {
    const server = await openMeteredServer({ rpcUrl: "http://127.0.0.1:9", gasKey: `0x${"1".repeat(64)}` });
    await storm(server.app, 2_000);
    expect(server.lines.filter(({ level }) => level === "error")).toEqual([]);
    await server.close();
  });
});

function listPlaces(value: unknown): [object, string][] {
  if (value === null || typeof value !== "object") return [];
  return Object.entries(value).flatMap(([key, item]) => [[value, key] as [object, string], ...listPlaces(item)]);
}

/** A well-formed payment for what is sold here, with a signature that nobody made. */
function payment() {
  const authorization = {
    from: `0x${"1".repeat(40)}`,
    to: payTo,
    value: "20000",
    validAfter: "0",
    validBefore: String(Math.floor(Date.now() / 1000) + 100),
    nonce: `0x${"2".repeat(64)}`,
  };
  const accepted = {
    scheme: "exact",
    network: "eip155:8453",
    amount: "20000",
    asset: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913",
    payTo,
    maxTimeoutSeconds: 120,
    extra: { name: "USD Coin", version: "2" },
  };
  return { x402Version: 2, accepted, payload: { signature: `0x${"3".repeat(130)}`, authorization } };
}
