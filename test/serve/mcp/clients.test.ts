import type { FastifyInstance } from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ServiceError } from "../../../src/kernel/error.ts";
import { shortenExplanation } from "../../../src/serve/mcp/short-explanation.ts";
import { type ConnectMcp, type McpClient, mcpClients } from "../../support/mcp-client.ts";
import { caseFileOf, explanationOf, hashOf } from "../../support/sample.ts";
import { compileSchema } from "../../support/schema.ts";
import { catalog, openServer } from "../../support/server.ts";

const failing = {
  [hashOf(0xe1)]: new ServiceError("transaction_not_found"),
  [hashOf(0xe2)]: new ServiceError("transaction_pending"),
  [hashOf(0xe3)]: new ServiceError("upstream_unavailable"),
  [hashOf(0xe4)]: new TypeError("https://rpc.example/key-1234 is broken"),
} as Record<string, Error>;

let app: FastifyInstance;
let lines: Record<string, unknown>[];
let url: string;

beforeAll(async () => {
  const server = openServer({
    gather: async (hash) => {
      if (failing[hash] !== undefined) throw failing[hash];
      return caseFileOf(hash);
    },
  });
  ({ app, lines } = server);
  url = await app.listen({ host: "127.0.0.1", port: 0 });
});
afterAll(() => app.close());

async function explainOverHttp(hash: string): Promise<string> {
  const headers = { "content-type": "application/json" };
  const response = await fetch(`${url}/explain`, { method: "POST", headers, body: JSON.stringify({ tx_hash: hash }) });
  return response.text();
}

describe.each(Object.entries(mcpClients))("%s", (name, connect: ConnectMcp) => {
  let client: McpClient;
  beforeAll(async () => {
    client = await connect(`${url}/mcp`);
  });
  afterAll(() => client.close());

  it("agrees on the revision that it can speak", () => {
    const modern = name.includes("negotiating") || name.includes("pinned");
    expect(client.revision()).toBe(modern ? "2026-07-28" : "2025-11-25");
  });

  it("lists both tools, with titles, schemas without references and annotations", async () => {
    const tools = await client.listTools();
    expect(tools.map((tool) => tool.name)).toEqual(["explain_transaction", "buy_pass"]);
    const [explain, buy] = tools;
    expect(explain).toMatchObject({
      title: expect.any(String),
      description: expect.stringMatching(/data.*never instructions/),
      annotations: { readOnlyHint: true, idempotentHint: true },
      inputSchema: {
        type: "object",
        required: ["tx_hash"],
        properties: { tx_hash: { pattern: "^0x[0-9a-fA-F]{64}$" } },
      },
      outputSchema: {
        type: "object",
        anyOf: [{ title: "Explanation" }, { title: "Short explanation" }, { title: "PaymentRequired" }],
      },
    });
    expect(buy).toMatchObject({
      annotations: { readOnlyHint: false },
      outputSchema: { anyOf: [{ title: "Pass" }, {}] },
    });
    expect(JSON.stringify(tools)).not.toMatch(/"\$(?:id|ref)"/);
  });

  it("gets what POST /explain gives, byte for byte, cold and remembered", async () => {
    const hash = hashOf(0xc0 + Object.keys(mcpClients).indexOf(name));
    for (const _turn of ["cold", "remembered"]) {
      const answer = await client.call("explain_transaction", { tx_hash: hash });
      const body = await explainOverHttp(hash);
      expect(JSON.stringify(answer.structuredContent)).toBe(body);
      expect(answer.content).toEqual([
        { type: "text", text: answer.structuredContent.summary },
        { type: "text", text: body },
      ]);
      expect(answer.isError).toBeUndefined();
    }
  });

  it("gets the short form of the same answer where it asks for it", async () => {
    const tx_hash = hashOf(0xd0 + Object.keys(mcpClients).indexOf(name));
    const short = shortenExplanation(explanationOf(tx_hash));
    for (const _turn of ["cold", "remembered"]) {
      const answer = await client.call("explain_transaction", { tx_hash, detail: "summary" });
      expect(answer.structuredContent).toEqual(short);
      expect(answer.content).toEqual([
        { type: "text", text: short.summary },
        { type: "text", text: JSON.stringify(short) },
      ]);
    }
    const full = await client.call("explain_transaction", { tx_hash, detail: "full" });
    expect(JSON.stringify(full.structuredContent)).toBe(await explainOverHttp(tx_hash));
  });

  it.each([
    ["a detail that there is not", { tx_hash: hashOf(1), detail: "short" }, "invalid_request"],
    ["a detail that is nothing", { tx_hash: hashOf(1), detail: null }, "invalid_request"],
    ["a short hash", { tx_hash: "0x12" }, "invalid_tx_hash"],
    ["the prefix 0X", { tx_hash: hashOf(1).replace("0x", "0X") }, "invalid_tx_hash"],
    ["a number", { tx_hash: 12 }, "invalid_tx_hash"],
    ["nothing", {}, "invalid_tx_hash"],
    ["a field too many", { tx_hash: hashOf(1), chain: "base" }, "invalid_request"],
    ["an unknown transaction", { tx_hash: hashOf(0xe1) }, "transaction_not_found"],
    ["a pending one", { tx_hash: hashOf(0xe2) }, "transaction_pending"],
    ["an upstream failure", { tx_hash: hashOf(0xe3) }, "upstream_unavailable"],
  ])("is told in the result about %s", async (_what, args, code) => {
    const answer = await client.call("explain_transaction", args);
    expect(answer.isError).toBe(true);
    expect(answer.structuredContent).toBeUndefined();
    expect(answer.content[0]?.text).toMatch(new RegExp(`^${code}: [A-Z\\w].*\\.$`));
    const failure = JSON.parse(String(answer.content[1]?.text));
    expect(failure.error).toBe(code);
    expect(compileSchema("error")(failure)).toBe(true);
  });

  it("learns nothing of the inside when something breaks", async () => {
    const answer = await client.call("explain_transaction", { tx_hash: hashOf(0xe4) });
    expect(answer.isError).toBe(true);
    expect(JSON.stringify(answer)).not.toContain("key-1234");
    const { error, request_id } = JSON.parse(String(answer.content[1]?.text));
    expect(error).toBe("internal");
    expect(lines).toContainEqual(expect.objectContaining({ level: "error", request_id }));
  });

  it("gets -32602 for a tool that does not exist", async () => {
    await expect(client.call("explain_everything")).rejects.toMatchObject({ code: -32602 });
  });

  it("is told that an open instance sells nothing", async () => {
    const answer = await client.call("buy_pass");
    expect(answer.isError).toBe(true);
    expect(answer.content[0]?.text).toMatch(/^payments_not_configured: /);
  });

  it("lists and reads what the rules cover", async () => {
    const resources = await client.listResources();
    expect(resources.map(({ uri }) => uri)).toEqual(["txgloss://rules", "txgloss://action-types"]);
    expect(JSON.parse(await client.readResource("txgloss://rules"))).toEqual({ protocols: catalog.protocols });
    expect(JSON.parse(await client.readResource("txgloss://action-types"))).toEqual({
      action_types: catalog.actionTypes,
    });
    await expect(client.readResource("txgloss://nothing")).rejects.toThrow();
  });
});

it("counts what it answers beside what HTTP answers", async () => {
  const health = (await (await fetch(`${url}/healthz`)).json()) as { explanations: Record<string, number> };
  expect(health.explanations.success).toBeGreaterThan(8);
  expect(health.explanations.transaction_not_found).toBe(4);
});
