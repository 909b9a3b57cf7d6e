import { custom, pad, type Transport, toEventSelector, toHex } from "viem";
import { describe, expect, it } from "vitest";
import { openTokenChain } from "../../../src/serve/access/payment/token-chain.ts";
import { baseBlocks } from "../../support/labels.ts";
import { hashOf } from "../../support/sample.ts";

const calendar = baseBlocks();
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
    ...{ calendar, asset: "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913", now: () => validBefore * 1000 },
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

  it("exists if it was settled before and one endpoint calls it open again", async () => {
    const settled = { transaction: hashOf(7) };
    const open = { time: validBefore };
    expect(await ask(open, [open], settled)).toEqual({ state: "open" });
    expect(await ask(open, [{ ...open, used: true }], settled)).toEqual(unclear);
  });
});

describe("a transfer that one endpoint shows", () => {
  const asset = "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913";
  const pass = { ...payment, amount: 9_000_000n };
  const place = { address: asset, blockNumber: toHex(190), transactionHash: hashOf(7), logIndex: "0x0", data: "0x" };
  const used = {
    ...place,
    topics: [toEventSelector("AuthorizationUsed(address,bytes32)"), pad(parties.payer as "0x"), parties.nonce],
  };
  const topics = [
    toEventSelector("Transfer(address,address,uint256)"),
    pad(parties.payer as "0x"),
    pad(parties.payTo as "0x"),
  ];
  const logsOf = (units: bigint) => [used, { ...place, logIndex: "0x1", topics, data: toHex(units, { size: 32 }) }];

  /** What an endpoint says about the payment: it shows it, denies it, is behind, has no logs, or does not answer. */
  type Word = "shows" | "denies" | "behind" | "blind" | "silent";
  function endpoint(word: Word, units: bigint): Transport {
    const known = word === "shows";
    const answers: Record<string, unknown> = {
      eth_getBlockByNumber: { number: toHex(word === "behind" ? 189 : 200), timestamp: toHex(9_500), transactions: [] },
      eth_call: toHex(BigInt(known || word === "blind"), { size: 32 }),
      eth_getLogs: known ? [used] : [],
      eth_getTransactionReceipt: known
        ? { ...place, from: parties.payer, logs: logsOf(units), status: "0x1", transactionIndex: "0x0" }
        : null,
    };
    const request = async ({ method }: { method: string }) => {
      if (word === "silent") throw new Error("no endpoint answers");
      return answers[method];
    };
    return custom({ request }, { retryCount: 0 });
  }
  async function ask(words: Word[], units = pass.amount) {
    const disputed: boolean[] = [];
    const witnesses = words.map((word) => endpoint(word, units));
    const chain = openTokenChain({
      ...{ asset, calendar, witnesses, transport: endpoint("shows", units) },
      onDispute: (believed) => disputed.push(believed),
    });
    const { state } = await chain.readAuthorization({ ...pass, amount: units });
    return [state, disputed];
  }

  it.each<[string, Word[], string, boolean[]]>([
    ["nobody else is asked", [], "settled", []],
    ["the others show it too", ["shows", "shows", "shows"], "settled", []],
    ["one of two denies it", ["shows", "denies"], "settled", [true]],
    ["one of three denies it", ["shows", "shows", "denies"], "settled", [true]],
    ["two of three deny it", ["shows", "denies", "denies"], "unclear", [false]],
    ["the others have not its block yet", ["shows", "behind", "behind"], "settled", []],
    ["the others know that it was used, and not how", ["shows", "blind", "blind"], "settled", []],
    ["the others do not answer", ["silent", "silent", "silent"], "settled", []],
    ["it answers no more itself, and another one denies it", ["silent", "denies"], "settled", [true]],
  ])("where %s", async (_name, words, state, disputed) => {
    expect(await ask(words)).toEqual([state, disputed]);
  });

  it("is believed for less than a dollar", async () => {
    expect(await ask(["shows", "denies", "denies"], 999_999n)).toEqual(["settled", []]);
    expect(await ask(["shows", "denies", "denies"], 1_000_000n)).toEqual(["unclear", [false]]);
  });
});
