import { describe, expect, it } from "vitest";
import type { Tool } from "../../../src/serve/mcp/tool.ts";
import { createExplainTool, createPassTool, createPreviewTool, createViewTool } from "../../../src/serve/mcp/tools.ts";
import type { Service } from "../../../src/serve/service/service.ts";
import type { AnswerRequest, PassRequest } from "../../../src/serve/service/service-request.ts";
import { explanationOf, hashOf } from "../../support/sample.ts";

const [hash, account] = [hashOf(1), `0x${"11".repeat(20)}`];
const explanation = explanationOf(hash);
const caller = { connection: {}, headers: {}, meta: { "svc/pass": "p" } };
const preview = { from: account, to: account, data: "0x" };

/** All tools over a service that notes what it is asked and gives one answer. */
function open() {
  const requests: unknown[] = [];
  const body = Buffer.from(JSON.stringify(explanation));
  const answer = { body, etag: '"e"', source: "network", view: explanation };
  const answers = { contentOf: () => explanation };
  const receipt = { success: true, transaction: "0x1", network: "eip155:8453", payer: "0x2" };
  const content = { call_cap: 7, expires_at: "2030-01-01T00:00:00Z", pass_token: "svc_x" };
  const service = {
    explanations: answers,
    ask: (_answers: unknown, request: unknown) => {
      requests.push(request);
      return { kind: "answered", answer, quota: undefined };
    },
    sellPass: (request: unknown) => {
      requests.push(request);
      const quota = { free: { limit: 5, remaining: 4, resetSeconds: 60 } };
      return { kind: "bought", body: JSON.stringify(content), content: () => content, fresh: true, receipt, quota };
    },
  } as unknown as Service;
  const tools: Record<string, Tool> = {
    explain_transaction: createExplainTool(service, [], undefined),
    preview_transaction: createPreviewTool(service, answers as never, []),
    view_transaction: createViewTool(service, {} as never, []),
    buy_pass: createPassTool(service),
  };
  const call = async (name: string, given: object) => {
    const response = await tools[name]?.call({ arguments: given as never, caller });
    return { response, request: requests.at(-1) as AnswerRequest<unknown, never> };
  };
  return { tools, call };
}
const refusal = (code: string, message: string) => expect.objectContaining({ code, message });

describe("a tool that answers", () => {
  it.each<[string, object, unknown]>([
    ["explain_transaction", { tx_hash: hash }, hash],
    ["explain_transaction", { tx_hash: hash, detail: "full" }, hash],
    ["explain_transaction", { tx_hash: hash, detail: "summary" }, hash],
    ["view_transaction", { tx_hash: hash }, { hash, account: null }],
    ["view_transaction", { tx_hash: hash, account }, { hash, account }],
    ["preview_transaction", preview, { kind: "transaction", request: expect.objectContaining({ from: account }) }],
    ["preview_transaction", { from: account, typed_data: {} }, { kind: "message", question: expect.anything() }],
  ])("%s asks for %j, and pays only where calls are charged", async (name, given, asked) => {
    const { request } = await open().call(name, given);
    expect(request).toMatchObject({ transport: "mcp", product: "explain", resource: `/mcp#${name}`, caller });
    expect(request.read(false)).toEqual({ asked });
    expect(request.read(true)).toEqual({ asked, tender: { passToken: "p", payment: undefined } });
    // The server never knows which answers a client of MCP already has, so each answer is charged.
    expect(request.isHeld({} as never)).toBe(false);
  });

  const tooMuch = "The arguments hold something other than tx_hash and";
  it.each([
    ["explain_transaction", { tx_hash: hash, more: 1 }, "invalid_request", `${tooMuch} detail.`],
    ["explain_transaction", { tx_hash: hash, detail: "short" }, "invalid_request", "detail is summary or full."],
    ["explain_transaction", { tx_hash: hash, detail: undefined }, "invalid_request", "detail is summary or full."],
    ["explain_transaction", { detail: "full" }, "invalid_tx_hash", "tx_hash is missing."],
    ["view_transaction", { tx_hash: hash, detail: "full" }, "invalid_request", `${tooMuch} account.`],
  ] as const)("%s refuses %j", async (name, given, code, message) => {
    const { request } = await open().call(name, given);
    for (const metered of [true, false]) expect(() => request.read(metered)).toThrow(refusal(code, message));
  });

  it("tells the sentence and the answer, or its short form", async () => {
    const { call } = open();
    const { response: whole } = await call("explain_transaction", { tx_hash: hash, detail: "full" });
    expect(whole?.result.structuredContent).toBe(explanation);
    const { response: short } = await call("explain_transaction", { tx_hash: hash, detail: "summary" });
    expect(short?.result.structuredContent).not.toHaveProperty("assets_moved");
    for (const response of [whole, short])
      expect(response?.result.content).toEqual([
        { type: "text", text: explanation.summary },
        { type: "text", text: JSON.stringify(response?.result.structuredContent) },
      ]);
  });
});

describe("the tool that sells a pass", () => {
  it("reads what pays for it, and takes no arguments", async () => {
    const { call, tools } = open();
    const { request, response } = await call("buy_pass", {});
    const asked = request as unknown as PassRequest;
    expect(asked).toMatchObject({ transport: "mcp", product: "pass", resource: "/mcp#buy_pass", caller });
    expect(asked.read()).toEqual({ payment: undefined, claim: undefined });
    expect(response?.result.content[0]).toEqual({
      type: "text",
      text: 'A pass for 7 explanations until 2030-01-01T00:00:00Z. Put its pass_token into _meta["svc/pass"] of each call of explain_transaction and keep it secret.',
    });
    const odd = (await call("buy_pass", { a: 1 })).request as unknown as PassRequest;
    expect(() => odd.read()).toThrow(refusal("invalid_request", "buy_pass takes no arguments."));
    expect(tools.buy_pass?.definition.inputSchema).toEqual({
      ...{ type: "object", properties: {}, additionalProperties: false },
    });
  });
});
