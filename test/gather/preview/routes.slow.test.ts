import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { maxUint256 } from "viem";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type { MessageExplanation } from "../../../src/model/told/message-explanation.ts";
import type { Preview } from "../../../src/model/told/preview.ts";
import { readCommandLine } from "../../../src/tools/cli/command-line.ts";
import { readRequestFile } from "../../../src/tools/cli/preview/preview-text.ts";
import { type MainProcess, startMain } from "../../support/main-process.ts";
import { mcpClients } from "../../support/mcp-client.ts";
import { openMeteredServer } from "../../support/metered-server.ts";
import { compileSchema } from "../../support/schema.ts";
import { runTxgloss } from "../../tools/cli/txgloss-process.ts";
import { approve } from "./calldata.ts";
import { at, type PreviewWorld, startPreviewWorld, who } from "./preview-world.ts";

const request = { from: who.alice, to: at.usdc, data: approve(who.bob, maxUint256) };
const sentence = /^In a simulation on block \d+, 0x5d5c…00D2 allowed 0x75E0…8969 to spend unlimited USDC\.$/;

/** A permit (EIP-2612) of all USDC. */
function permitOf(chainId: number) {
  const Permit = ["owner", "spender", "value", "nonce", "deadline"].map((name, i) => {
    return { name, type: i < 2 ? "address" : "uint256" };
  });
  const domain = { name: "USD Coin", version: "2", chainId, verifyingContract: at.usdc };
  const message = {
    ...{ owner: who.alice, spender: who.bob, value: maxUint256.toString() },
    ...{ nonce: "0", deadline: "1999999999" },
  };
  return { types: { Permit }, primaryType: "Permit", domain, message };
}

describe("the routes of previews", () => {
  let world: PreviewWorld;
  let main: MainProcess;
  beforeAll(async () => {
    world = await startPreviewWorld();
    main = await startMain({ RPC_URLS: world.url });
  });
  afterAll(async () => {
    main.child.kill("SIGTERM");
    await once(main.child, "exit");
    await world.stop();
  });

  const post = (body: unknown, headers: Record<string, string> = { "content-type": "application/json" }) =>
    fetch(`${main.url}/preview`, {
      method: "POST",
      headers,
      body: typeof body === "string" ? body : JSON.stringify(body),
    });

  it("answer over HTTP by their schema", async () => {
    const response = await post(request);
    expect(response.status).toBe(200);
    expect(response.headers.get("etag")).toMatch(/^"[\w-]+"$/);
    const told = (await response.json()) as Preview;
    const validate = compileSchema("preview");
    expect(validate(told) ? [] : validate.errors).toEqual([]);
    expect(compileSchema("preview-request")(request)).toBe(true);
    expect(told.summary).toMatch(sentence);
    expect(told.risk_flags.map(({ flag }) => flag)).toEqual(["unlimited_approval"]);
  });

  it("tell what a message would allow, by its schema, and as a command", async () => {
    const asked = { from: who.alice, typed_data: permitOf(8453) };
    const response = await post(asked);
    const told = (await response.json()) as MessageExplanation;
    const validate = compileSchema("message");
    expect(validate(told) ? [] : validate.errors).toEqual([]);
    expect(compileSchema("preview-request")(asked)).toBe(true);
    expect(told.summary).toMatch(/^0x5d5c…00D2 is asked to let 0x75E0…8969 spend unlimited USDC\b/);
    expect(told).toMatchObject({ outcome: "not_simulated", action_type: "erc20_approval" });
    expect(told.risk_flags.map(({ flag }) => flag)).toContain("unlimited_approval");
    const body = JSON.stringify(told);
    const file = join(await mkdtemp(join(tmpdir(), "txgloss-message-")), "message.json");
    writeFileSync(file, JSON.stringify(asked));
    const { stdout } = await runTxgloss(["preview", file, "--json", "--rpc", world.url]);
    expect(stdout).toBe(`${body}\n`);
  });

  it.each([
    ["no JSON", "{", "invalid_json"],
    ["a list", "[]", "invalid_json"],
    ["an unknown field", { ...request, gasPrice: "1" }, "invalid_preview"],
    ["no sender", { to: at.usdc }, "invalid_preview"],
    ["no receiver", { from: who.alice }, "invalid_preview"],
    ["a short address", { ...request, to: "0x12" }, "invalid_preview"],
    ["half a byte", { ...request, data: "0x1" }, "invalid_preview"],
    ["a negative value", { ...request, value: -1 }, "invalid_preview"],
    ["a value beyond 256 bits", { ...request, value: `0x1${"0".repeat(64)}` }, "invalid_preview"],
    ["a creation without code", { from: who.alice, to: null }, "invalid_preview"],
    ["an authorization that is none", { ...request, authorization_list: [1] }, "invalid_preview"],
    ["an empty list of authorizations", { ...request, authorization_list: [] }, "invalid_preview"],
    [
      "half a signature",
      { ...request, authorization_list: [{ address: at.usdc, nonce: 1, r: "0x1" }] },
      "invalid_preview",
    ],
    [
      "a signature without its nonce",
      {
        ...request,
        authorization_list: [{ address: at.usdc, y_parity: 0, r: `0x${"1".repeat(64)}`, s: `0x${"1".repeat(64)}` }],
      },
      "invalid_preview",
    ],
    [
      "a creation with authorizations",
      { from: who.alice, to: null, data: "0x00", authorization_list: [{ address: at.usdc }] },
      "invalid_preview",
    ],
    ["typed data that is none", { from: who.alice, typed_data: {} }, "invalid_typed_data"],
    ["typed data beside a transaction", { ...request, typed_data: {} }, "invalid_preview"],
    ["typed data of another chain", { from: who.alice, typed_data: permitOf(1) }, "other_chain"],
    [
      "calldata beyond what a transaction may have",
      { ...request, data: `0x${"00".repeat(131_073)}` },
      "invalid_preview",
    ],
    ["a body beyond all of that", { ...request, data: `0x${"00".repeat(150_000)}` }, "body_too_large"],
  ])("refuse %s", async (_, body, code) => {
    const response = await post(body);
    expect(await response.json()).toMatchObject({ error: code, retryable: false });
    expect(response.status).toBe(code === "body_too_large" ? 413 : 400);
  });

  it("ask for JSON", async () => {
    expect((await post(request, { "content-type": "text/plain" })).status).toBe(415);
  });

  it.each(Object.entries(mcpClients))("answer %s of MCP the same", async (_, connect) => {
    const client = await connect(`${main.url}/mcp`);
    try {
      expect((await client.listTools()).map(({ name }) => name)).toContain("preview_transaction");
      const { structuredContent, content } = await client.call("preview_transaction", request);
      expect(content[0]?.text).toMatch(sentence);
      expect(structuredContent).toMatchObject({ outcome: "success", action_type: "erc20_approval" });
      const refused = await client.call("preview_transaction", { ...request, data: "0x1" });
      expect(refused).toMatchObject({ isError: true });
      expect(refused.content[0]?.text).toMatch(/^invalid_preview: data is not/);
    } finally {
      await client.close();
    }
  });

  it("answer on the command line", async () => {
    const dir = await mkdtemp(join(tmpdir(), "preview-"));
    onTestFinished(() => rm(dir, { recursive: true }));
    const file = join(dir, "request.json");
    writeFileSync(file, JSON.stringify(request));
    const told = await runTxgloss(["preview", file, "--rpc", world.url]);
    expect(told.stdout.split("\n")[0]).toMatch(sentence);
    expect(told.stdout).toContain("unlimited_approval");
    const flags = ["--from", who.alice, "--to", who.bob, "--value", "1000000000000000000"];
    const { stdout } = await runTxgloss(["preview", ...flags, "--json", "--why", "--rpc", world.url]);
    const [answer = "", evidence = ""] = stdout.split("\n");
    expect(JSON.parse(answer).summary).toMatch(/sent 1 ETH to 0x75E0…8969\.$/);
    expect(JSON.parse(evidence).subject).toBe(who.alice);
    const bad = await runTxgloss(["preview", "--from", "0x1", "--to", who.bob]);
    expect(bad.code).toBe(2);
    expect(bad.stderr).toMatch(/^txgloss: \S/);
    writeFileSync(file, "{");
    await expect(readRequestFile(file)).rejects.toThrow("is not JSON");
    writeFileSync(file, "[]");
    await expect(readRequestFile(file)).rejects.toThrow("is not a JSON object");
    expect(() => readCommandLine(["preview"])).toThrow("expected a file with the request, or --from and --to");
    expect(() => readCommandLine(["preview", "a.json", "b.json"])).toThrow("expected nothing after it");
    expect(readCommandLine(["preview", "--from", "0x1", "--to", "none"])).toMatchObject({ fields: { to: null } });
  });

  it("are metered like explanations", async () => {
    const server = await openMeteredServer({
      rpcUrl: world.url,
      gasKey: await world.createGasKey(),
      previewer: world.previewer,
    });
    onTestFinished(() => server.close());
    const ask = (body?: string) =>
      fetch(`${server.url}/preview`, {
        method: "POST",
        ...(body === undefined ? {} : { body, headers: { "content-type": "application/json" } }),
      });
    // A body that is missing is a mistake while calls are free.
    expect((await ask()).status).toBe(400);
    const free = await ask(JSON.stringify(request));
    expect(free.status).toBe(200);
    expect(free.headers.get("ratelimit")).toMatch(/r=\d+/);
    expect((await ask("{}")).status).toBe(400);
    const left = Number(/r=(\d+)/.exec(free.headers.get("ratelimit") ?? "")?.[1]);
    const page = await fetch(`${server.url}/preview/page`, {
      ...{ method: "POST", headers: { accept: "text/html" } },
      body: new URLSearchParams({ request: JSON.stringify(request) }),
    });
    expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    expect(page.headers.get("ratelimit")).toContain(`r=${left - 1};`);
  });
});
