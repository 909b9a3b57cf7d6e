import { custom, type Transport, toHex } from "viem";
import { describe, expect, it } from "vitest";
import { openTokenChain } from "../../src/access/payment/token-chain.ts";
import { hashOf } from "../support/sample.ts";

const validBefore = 10_000;
const parties = { payer: `0x${"a1".repeat(20)}`, payTo: `0x${"b0".repeat(20)}`, nonce: hashOf(5) };
const payment = { ...parties, amount: 5n, validBefore, openedAt: 9_000, openedBlock: 100, transaction: null };

interface Says {
  time: number;
  head?: number;
  used?: boolean;
  silent?: boolean;
}

/** An endpoint that shows no logs and no receipts. */
function endpointOf({ time, head = 200, used = false, silent = false }: Says): Transport {
  const answers: Record<string, unknown> = {
    eth_getBlockByNumber: { number: toHex(head), timestamp: toHex(time), transactions: [] },
    eth_call: toHex(BigInt(used), { size: 32 }),
    eth_getLogs: [],
    eth_getTransactionReceipt: null,
  };
  const request = async ({ method }: { method: string }) => {
    if (silent) throw new Error("no endpoint answers");
    return answers[method];
  };
  return custom({ request }, { retryCount: 0 });
}

const ask = (first: Says, others: Says[], row: { transaction?: string } = {}) =>
  openTokenChain({
    ...{ asset: "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913", now: () => validBefore * 1000 },
    ...{ transport: endpointOf(first), witnesses: others.map(endpointOf) },
  }).readAuthorization({ ...payment, ...row });

const over = { time: validBefore + 31 };
const lost = { state: "lost", reason: "payment_expired" };
const unclear = { state: "unclear" };

describe("a payment that one endpoint calls over", () => {
  it.each<[string, Says[], object]>([
    ["nobody else is asked", [], lost],
    ["the others call it over too", [over, over], lost],
    ["one still has time for it", [over, { time: validBefore }], unclear],
    ["one has stood still for ten minutes", [{ time: validBefore - 600 }], lost],
    ["one is a little behind", [{ time: validBefore - 599 }], unclear],
    ["one shows that it was used", [{ time: validBefore, used: true }], unclear],
    ["one has not the block at which it was opened", [{ time: validBefore, head: 99 }], lost],
    ["one does not answer", [{ ...over, silent: true }, over], lost],
  ])("where %s", async (_name, others, state) => {
    expect(await ask(over, others)).toEqual(state);
  });

  it("is no matter for others while it is open", async () => {
    expect(await ask({ time: validBefore }, [{ time: validBefore, used: true }])).toEqual({ state: "open" });
  });

  it("is one where it was settled before, and one endpoint calls it open again", async () => {
    const settled = { transaction: hashOf(7) };
    const open = { time: validBefore };
    expect(await ask(open, [open], settled)).toEqual({ state: "open" });
    expect(await ask(open, [{ ...open, used: true }], settled)).toEqual(unclear);
  });
});
