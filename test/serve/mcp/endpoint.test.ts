import { afterEach, describe, expect, it } from "vitest";
import { openVisitors } from "../../../src/serve/access/quota/visitors.ts";
import type { Tool } from "../../../src/serve/mcp/tool.ts";
import { callOf, modernCallOf, modernHeaders, postMcp } from "../../support/mcp-message.ts";
import { hashOf } from "../../support/sample.ts";
import { openServer, type TestServer } from "../../support/server.ts";

const opened: TestServer[] = [];
afterEach(async () => {
  for (const { app } of opened.splice(0)) await app.close();
});
function open(options: Parameters<typeof openServer>[0]): TestServer {
  const server = openServer(options);
  opened.push(server);
  return server;
}

/** A tool of the tests that answers so. */
const toolOf = (call: Tool["call"]): Tool => ({
  definition: { name: "own", title: "Own", description: "Of the tests.", inputSchema: { type: "object" } },
  call,
});
const callOwn = callOf({ name: "own", arguments: {} }, "id");
const page = "https://app.example";

describe("a client that sends too many messages", () => {
  const limited = () => {
    const settings = { rateLimitPerMinute: 2, openCallsPerMinute: 0, trustProxy: [] };
    return open({ visitors: openVisitors(settings, () => 1_000), mcpOrigins: [page] }).app;
  };
  const ping = { jsonrpc: "2.0", id: 7, method: "ping" };

  it.each<[string, unknown, object, number, number, string]>([
    ["that are no JSON", "{", {}, 400, 2, "30"],
    ["that are several", "[]", {}, 400, 2, "30"],
    ["that take no stream", callOf(), { accept: "application/json" }, 406, 2, "30"],
    ["that ask for no explanation", ping, {}, 200, 5, "8"],
  ])("is stopped: those %s", async (_name, message, headers, status, times, seconds) => {
    const app = limited();
    for (let i = 0; i < times; i++) expect((await postMcp(app, message, headers as never)).statusCode).toBe(status);
    const last = await postMcp(app, message, headers as never);
    expect([last.statusCode, last.headers["retry-after"]]).toEqual([429, seconds]);
    expect(last.json()).toMatchObject({
      id: message === ping ? 7 : null,
      error: { code: -32_000, message: expect.stringMatching(/^rate_limited: /) },
    });
  });

  it.each([{ "mcp-method": "tools/list" }, { "mcp-protocol-version": "2025-11-25" }])(
    "is stopped: calls whose headers say something else, and no others: %j",
    async (odd) => {
      const app = limited();
      const call = async (headers: object = {}) =>
        (await postMcp(app, modernCallOf(), { ...modernHeaders(), ...headers })).statusCode;
      for (let i = 0; i < 5; i++) expect(await call(odd)).toBe(400);
      expect([await call(), await call(odd)]).toEqual([200, 429]);
    },
  );

  it("is not stopped by what a page of elsewhere sent, or by calls that are answered", async () => {
    const app = limited();
    for (let i = 0; i < 5; i++) {
      expect((await postMcp(app, "{", { origin: "https://other.example" })).statusCode).toBe(403);
      expect((await postMcp(app, callOf())).statusCode).toBe(200);
    }
    expect((await postMcp(app, "{")).statusCode).toBe(400);
  });
});

describe("what a tool gives", () => {
  const result = { content: [{ type: "text", text: "done" }] };
  const challenge = {
    kind: "challenged",
    required: {} as never,
    body: Buffer.from('{"x":1}'),
    header: "offer",
  } as const;
  const ways = ["at once", "later"];
  const answering = (response: object, way: string) =>
    toolOf(() => (way === "later" ? Promise.resolve(response) : response) as never);

  it.each(ways)("has its own headers, and those for a page that may read it (%s)", async (way) => {
    const own = answering({ result, headers: { "x-own": "1" } }, way);
    const { app } = open({ moreTools: [own], mcpOrigins: [page] });
    const told = async (headers: Record<string, string> = {}) => {
      const { statusCode, headers: sent, body } = await postMcp(app, callOwn, headers);
      return [statusCode, JSON.parse(body), sent["x-own"], sent["access-control-allow-origin"], sent.vary];
    };
    const answer = { result, jsonrpc: "2.0", id: "id" };
    expect(await told()).toEqual([200, answer, "1", undefined, undefined]);
    expect(await told({ origin: page })).toEqual([200, answer, "1", page, "Origin"]);
  });

  it.each(ways)("asks for a payment by its status where the caller names no revision (%s)", async (way) => {
    const own = answering({ result, challenge, headers: { "payment-required": "offer" } }, way);
    const { app } = open({ moreTools: [own] });
    const asked = await postMcp(app, callOwn);
    expect([asked.statusCode, asked.body, asked.headers["payment-required"]]).toEqual([402, '{"x":1}', "offer"]);
    const told = await postMcp(app, callOwn, { "mcp-protocol-version": "2025-11-25" });
    expect([told.statusCode, told.json().result, told.headers["payment-required"]]).toEqual([200, result, "offer"]);
  });

  it.each<[string, unknown, string | RegExp]>([
    ["an error", new TypeError("broken"), /^TypeError: broken\n +at /],
    ["a text", "broken", "broken"],
  ])("is told as our mistake where it throws %s, which the log has", async (_name, thrown, cause) => {
    const own = toolOf(() => {
      throw thrown;
    });
    const { app, lines } = open({ moreTools: [own] });
    const reply = await postMcp(app, callOwn);
    expect([reply.statusCode, reply.json().error]).toEqual([
      ...[500, { code: -32_603, message: "Something went wrong on our side." }],
    ]);
    const matching = typeof cause === "string" ? cause : expect.stringMatching(cause);
    expect(lines).toEqual([
      expect.objectContaining({ level: "error", event: "internal", transport: "mcp", cause: matching }),
    ]);
    // A client's mistake is none of ours.
    await postMcp(app, "x".repeat(70_000));
    expect(lines).toHaveLength(1);
  });
});

it("the tools are listed in their order, those beside ours last", async () => {
  const list = { jsonrpc: "2.0", id: 1, method: "tools/list" };
  const { app } = open({ moreTools: [toolOf(async () => ({ result: { content: [] } }))] });
  const names = (await postMcp(app, list)).json().result.tools.map(({ name }: { name: string }) => name);
  expect(names).toEqual(["explain_transaction", "buy_pass", "own"]);
  const unknown = await postMcp(app, callOf({ name: "none", arguments: { tx_hash: hashOf(1) } }));
  expect(unknown.json().error).toEqual({ code: -32_602, message: "Unknown tool: none" });
});
