import { custom, type Hex, pad, toEventSelector, toHex } from "viem";
import { describe, expect, it } from "vitest";
import { openTokenChain } from "../../../src/serve/access/payment/token-chain.ts";
import { baseBlocks } from "../../support/labels.ts";
import { hashOf } from "../../support/sample.ts";

const calendar = baseBlocks();
const asset: Hex = "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913";
const payer: Hex = `0x${"a1".repeat(20)}`;
const payTo: Hex = `0x${"b0".repeat(20)}`;
const nonce = hashOf(5);
const opened = { openedAt: 9_000, openedBlock: 10_000, transaction: null };
const payment = { payer, nonce, payTo, amount: 5n, validBefore: 10_000, ...opened };
const usedTopic = toEventSelector("AuthorizationUsed(address,bytes32)");

describe("what a chain shows about a payer", () => {
  const away = { code: "payments_unavailable", retryAfterSeconds: 5 };

  /** A chain with these answers by method. A method without an answer fails. The chain notes what it is asked. */
  function chainWith(answers: Record<string, (params: unknown[]) => unknown>) {
    const asked: unknown[][] = [];
    const transport = custom(
      {
        request: async ({ method, params }: { method: string; params: unknown[] }) => {
          asked.push([method, ...(params ?? [])]);
          const answer = answers[method];
          if (answer === undefined) throw Object.assign(new Error("no"), { code: -32_000 });
          return answer(params);
        },
      },
      { retryCount: 0 },
    );
    return { chain: openTokenChain({ transport, asset, calendar }), asked };
  }
  const block = () => ({ number: "0x4d", timestamp: "0x1", transactions: [] });

  it("is the use of the authorization and the balance, at one block", async () => {
    const { chain, asked } = chainWith({
      eth_getBlockByNumber: block,
      eth_call: ([call]) => toHex((call as { data: string }).data.startsWith("0x70a08231") ? 500n : 1n, { size: 32 }),
    });
    expect(await chain.look({ payer, nonce })).toEqual({ block: 77, used: true, balance: 500n });
    const calls = asked.slice(1) as [string, { to: Hex; data: Hex }, Hex][];
    expect(calls.map(([method, { to }, at]) => [method, to, at])).toEqual(Array(2).fill(["eth_call", asset, "0x4d"]));
    const words = [payer, nonce].map((word) => pad(word as Hex).slice(2));
    expect(new Set(calls.map(([, { data }]) => data.slice(10)))).toEqual(new Set([words.join(""), words[0]]));
  });

  it("includes whether its contract signed, if it is a contract", async () => {
    const signed = { address: payer, message: "text", signature: "0xabab" as Hex };
    const none = chainWith({ eth_getCode: () => "0x" });
    expect(await none.chain.isSignedBy(signed)).toBe(false);
    expect(none.asked).toEqual([["eth_getCode", payer, "latest"]]);
    const yes = chainWith({ eth_getCode: () => "0x01", eth_call: () => "0x01" });
    expect(await yes.chain.isSignedBy(signed)).toBe(true);
    const no = chainWith({ eth_getCode: () => "0x01", eth_call: () => "0x00" });
    expect(await no.chain.isSignedBy(signed)).toBe(false);
  });

  it("includes the newest block, and the ether for gas", async () => {
    const { chain, asked } = chainWith({ eth_getBlockByNumber: block, eth_getBalance: () => "0x7" });
    expect([await chain.blockBefore(0), await chain.gasBalance(payer)]).toEqual([77, 7n]);
    expect(asked).toEqual([
      ["eth_getBlockByNumber", "latest", false],
      ["eth_getBalance", payer, "latest"],
    ]);
  });

  it("is nothing while no endpoint answers", async () => {
    const { chain } = chainWith({});
    const signed = { address: payer, message: "text", signature: "0xabab" as Hex };
    const asking = [
      chain.look({ payer, nonce }),
      chain.blockBefore(0),
      chain.blockBefore(9),
      chain.timeOf(7),
      chain.gasBalance(payer),
      chain.isSignedBy(signed),
    ];
    for (const one of [...asking, chain.readAuthorization(payment)]) await expect(one).rejects.toMatchObject(away);
    const silent = chainWith({ eth_getBlockByNumber: block }).chain.look({ payer, nonce });
    await expect(silent).rejects.toMatchObject(away);
  });

  it("is sought by payer and nonce among uses and cancellations", async () => {
    const { chain, asked } = chainWith({
      ...{ eth_getBlockByNumber: () => ({ ...block(), number: "0x2800" }), eth_getLogs: () => [] },
      eth_call: () => toHex(1n, { size: 32 }),
    });
    await chain.readAuthorization(payment);
    const canceled = toEventSelector("AuthorizationCanceled(address,bytes32)");
    const topics = [[usedTopic, canceled], pad(payer), nonce];
    expect(asked.at(-1)).toEqual(["eth_getLogs", { address: asset, topics, fromBlock: "0x2701", toBlock: "0x2800" }]);
  });
});
