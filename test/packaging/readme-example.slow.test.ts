import { readFileSync } from "node:fs";
import { join } from "node:path";
import { encodeAbiParameters } from "viem";
import { expect, it, onTestFinished } from "vitest";
import { toAddress } from "../../src/kernel/address.ts";
import type { Hex } from "../../src/kernel/hex.ts";
import { alice, approval, approveCall, maxUint, someone, spender, usdc, word } from "../engine/assess/scene.ts";
import { startFactServer } from "../support/fact-server.ts";
import { startMain } from "../support/main-process.ts";
import { startRpcServer } from "../support/rpc-server.ts";
import { addTransaction, chainFixture, chainMethods, tokenContract } from "../support/rpc-server-chain.ts";
import { hashOf } from "../support/sample.ts";
import { compileSchema } from "../support/schema.ts";
import { root } from "../support/shared.ts";

const hash = hashOf(1);
const feed = toAddress("0x71041dddad3595f9ced3dccfbe3d1f4b0a16bb70");
const blockTime = 1_700_000_000;
const code = "0x6001600155";

/** A chain on which alice lets a spender without published source take all her USDC. The ETH price is 2050.12 USD. */
async function startChain(): Promise<string> {
  const words = ["uint80", "int256", "uint256", "uint256", "uint80"].map((type) => ({ type }));
  const round = encodeAbiParameters(words, [7n, 205_012_000_000n, BigInt(blockTime), BigInt(blockTime), 7n]);
  const chain = chainFixture({
    blockTime,
    contracts: new Map([
      [usdc, tokenContract({ symbol: "USDC", name: "USD Coin", decimals: 6n })],
      [feed, (data: Hex) => (data === "0x313ce567" ? word(8n) : round)],
    ]),
  });
  addTransaction(chain, hash, {
    transaction: { from: alice, to: usdc, input: approveCall(spender, maxUint) },
    receipt: {
      ...{ from: alice, to: usdc, logs: [approval(usdc, alice, spender, maxUint)] },
      ...{ gasUsed: "0xd6d8", effectiveGasPrice: "0x2faf080", l1Fee: "0x12a05f200" },
    },
  });
  const trace = { type: "CALL", from: alice, to: usdc, value: "0x0", input: approveCall(spender, maxUint) };
  const methods = {
    ...chainMethods(chain),
    debug_traceTransaction: () => trace,
    eth_getCode: (address: string) => (toAddress(address) === alice ? "0x" : code),
    eth_getStorageAt: () => word(0n),
  };
  return (await startRpcServer({ methods })).url;
}

/** Sourcify knows only USDC. Blockscout knows one earlier call of alice. The list names somebody else. */
async function startFacts() {
  const published = (path: string) => path.toLowerCase().includes(usdc);
  const sourcify = await startFactServer(({ pathname }) => {
    const address = pathname.split("/").at(-1);
    if (published(pathname)) return { body: { match: "exact_match", address } };
    return { status: 404, body: { match: null, address } };
  });
  const earlier = {
    ...{ hash: hashOf(900), block_number: 50, position: 0, status: "ok", value: "7", raw_input: "0x" },
    ...{ from: { hash: alice }, to: { hash: someone("friend") } },
  };
  const blockscout = await startFactServer(({ pathname }) => {
    if (pathname.includes("/smart-contracts/"))
      return { body: { is_verified: published(pathname), deployed_bytecode: code } };
    return { body: { items: pathname.endsWith("/transactions") ? [earlier] : [], next_page_params: null } };
  });
  const list = await startFactServer(() => ({ body: [someone("thief")] }));
  return { SOURCIFY_URL: sourcify.url, BLOCKSCOUT_URL: blockscout.url, DRAINER_LISTS: `${list.url}/list.json` };
}

it("shows in README.md what the service answers when every source does: the fee in USD and all checks", async () => {
  const env = { ...(await startFacts()), RPC_URLS: await startChain(), LOOKUPS: "on", DRAINER_DIR: "" };
  const { child, url } = await startMain({ ...env, RECORDINGS_DIR: "" });
  onTestFinished(() => void child.kill("SIGKILL"));
  const headers = { "content-type": "application/json" };
  const reply = await fetch(`${url}/explain`, { method: "POST", headers, body: JSON.stringify({ tx_hash: hash }) });
  const answer = (await reply.json()) as { checks: object };
  const isExplanation = compileSchema("explanation");
  expect(isExplanation(answer), JSON.stringify(isExplanation.errors)).toBe(true);
  expect(answer.checks).toMatchObject({
    ...{ contract_verification: "ok", first_interaction: "ok", drainer_blacklist: "ok" },
  });
  const page = readFileSync(join(root, "README.md"), "utf8");
  const shown = JSON.parse(/```json\n([\s\S]+?)```/.exec(page)?.[1] ?? "null");
  expect(answer).toEqual(shown);
  expect(shown.gas_paid_usd).toBeGreaterThan(0);
  expect(shown.risk_flags).toHaveLength(3);
});
