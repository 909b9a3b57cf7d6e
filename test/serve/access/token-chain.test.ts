import { type Hex, toEventSelector } from "viem";
import { describe, expect, it } from "vitest";
import { hashOf } from "../../support/sample.ts";
import { type ChainSays, chainOf, type LogSays, nonce, payer, payTo, stranger, transaction } from "./scripted-chain.ts";

const validBefore = 10_000;
const opened = { openedAt: 9_000, openedBlock: 10_000, transaction: null };
const payment = { payer, nonce, payTo, amount: 5n, validBefore, ...opened };

const read = (says: ChainSays, row: { openedBlock?: null; transaction?: Hex } = {}) =>
  chainOf(says).chain.readAuthorization({ ...payment, ...row });

describe("an authorization that is not used", () => {
  it.each([
    [validBefore - 1, { state: "open" }],
    [validBefore + 30, { state: "open" }],
    [validBefore + 31, { state: "lost", reason: "payment_expired" }],
  ])("at %d seconds of the chain", async (time, state) => {
    expect(await read({ time })).toEqual(state);
  });

  it("is not judged by an endpoint that is behind the block at which it was opened", async () => {
    await expect(read({ time: 9_900, head: 9_999 })).rejects.toMatchObject({ code: "payments_unavailable" });
    await expect(read({ time: validBefore + 30, head: 9_999 })).rejects.toMatchObject({ code: "payments_unavailable" });
    expect(await read({ time: validBefore, head: 10_000 })).toEqual({ state: "open" });
    expect(await read({ time: validBefore, head: 0 }, { openedBlock: null })).toEqual({ state: "open" });
  });
});

describe("an authorization whose row has a wrong block, as an endpoint gave it", () => {
  const late = { ...payment, validBefore: 2_000_000 };
  const says = { time: 2_000_100, head: 500_000 };
  const far = { ...late, openedBlock: 1e12 };

  it("is judged after it expired by the chain's time, even if its block lies in the future", async () => {
    const before = chainOf({ ...says, time: 2_000_030 }).chain;
    await expect(before.readAuthorization(far)).rejects.toMatchObject({ code: "payments_unavailable" });
    const lost = { state: "lost", reason: "payment_expired" };
    expect(await chainOf({ ...says, time: 2_000_031 }).chain.readAuthorization(far)).toEqual(lost);
    const seen = chainOf({ ...says, used: true, log: { block: 499_950 } });
    expect(await seen.chain.readAuthorization(far)).toMatchObject({ state: "settled", transaction, sender: stranger });
  });

  it("is searched from the time since which it could be used, no matter which block the row has", async () => {
    // One day and five minutes before the authorization expires, with a block every two seconds.
    const earliest = says.head - (86_400 + 300 + 100) / 2;
    for (const [openedBlock, from] of [
      [1e12, earliest],
      [0, earliest],
      [earliest + 14, earliest],
      [earliest + 16, earliest + 1],
      [499_000, 498_985],
    ] as const) {
      const { chain, searched } = chainOf({ ...says, used: true, usedFrom: null });
      expect(await chain.readAuthorization({ ...late, openedBlock })).toEqual({ state: "unclear" });
      expect(searched[0]?.[0]).toBe(from);
    }
  });
});

it("the search for a use ends, no matter which blocks an endpoint gives", async () => {
  const timeOf = (block: number) => (block < 4e9 ? 0 : 8e9);
  const { chain, searched } = chainOf({ time: 8e9, head: 4e9, timeOf, used: true, usedFrom: null });
  const row = { ...payment, validBefore: 6e9, openedBlock: 3e9 };
  expect(await chain.readAuthorization(row)).toEqual({ state: "unclear" });
  expect(searched).toHaveLength(432);
});

describe("an authorization that is used", () => {
  const canceled = { state: "lost", reason: "authorization_canceled" };

  it("is settled by the transfer to us, told with its sender, its block and the time of the chain", async () => {
    const settled = { state: "settled", transaction, sender: stranger, block: 10_100, time: 9_900 };
    expect(await read({ time: 9_900, used: true, log: { block: 10_100 } })).toEqual(settled);
    // The payer may also pay us for something else in the same transaction.
    const other: LogSays[] = [{ use: hashOf(9) }, { amount: 9n }];
    const mixed = { before: [{ amount: 3n, token: stranger }, ...other], after: other };
    expect(await read({ time: 9_900, used: true, log: { block: 10_100 }, receipt: mixed })).toEqual(settled);
  });

  it("is settled by its own transfer alone: one transfer pays for one authorization", async () => {
    const log = { block: 10_100 };
    // The same transaction uses two authorizations: one pays us, and the other pays nobody.
    const nothing = { before: [{ use: hashOf(9) }, { amount: 5n }], amount: 0n, to: payer };
    expect(await read({ time: 9_900, used: true, log, receipt: nothing })).toEqual(canceled);
    const late = { amount: 0n, to: payer, after: [{ use: hashOf(9) }, { amount: 5n }] };
    expect(await read({ time: 9_900, used: true, log, receipt: late })).toEqual(canceled);
  });

  it("is read from the transaction that is known to have used it, no matter which logs the endpoint has", async () => {
    const settled = { state: "settled", transaction, sender: stranger, block: 10_100, time: 90_000 };
    const known = chainOf({ time: 90_000, used: true });
    expect(await known.chain.readAuthorization({ ...payment, transaction })).toEqual(settled);
    expect(known.searched).toEqual([]);
    // Where that transaction is gone or concerns another authorization, the logs decide.
    expect(await read({ time: 9_900, used: true, receipt: null }, { transaction })).toEqual({ state: "unclear" });
    const elsewhere = chainOf({ time: 9_900, used: true, receipt: { nonce: hashOf(9) } });
    expect(await elsewhere.chain.readAuthorization({ ...payment, transaction })).toEqual({ state: "unclear" });
    expect(elsewhere.searched).toHaveLength(1);
  });

  it("is unclear if a log shows a use that the receipt does not show", async () => {
    for (const receipt of [null, { nonce: hashOf(9) }])
      expect(await read({ time: 9_900, used: true, log: { block: 10_100 }, receipt })).toEqual({ state: "unclear" });
  });

  it("is not judged by an endpoint that refuses to show the receipt", async () => {
    const { chain } = chainOf({ time: 9_900, used: true, log: { block: 10_100 }, receipt: "refused" });
    await expect(chain.readAuthorization(payment)).rejects.toMatchObject({ code: "payments_unavailable" });
  });

  it.each<[string, Omit<ChainSays, "time" | "used">]>([
    ["it was canceled", { log: { block: 10_100, topic: toEventSelector("AuthorizationCanceled(address,bytes32)") } }],
    ["another token moved", { log: { block: 10_100 }, receipt: { token: stranger } }],
    ["another amount moved", { log: { block: 10_100 }, receipt: { amount: 4n } }],
    ["somebody else paid", { log: { block: 10_100 }, receipt: { from: stranger } }],
    ["somebody else was paid", { log: { block: 10_100 }, receipt: { to: stranger } }],
  ])("is lost when %s", async (_name, says) => {
    expect(await read({ time: 9_900, used: true, ...says })).toEqual(canceled);
  });

  it("is unclear for ever when no log tells of a use while it was valid", async () => {
    expect(await read({ time: validBefore, used: true })).toEqual({ state: "unclear" });
    // Two hours after the authorization expired. In the block in which it expired it was already used, or the chain does not know.
    const later = { time: validBefore + 7_200, head: 13_600, used: true };
    expect(await read(later)).toEqual({ state: "unclear" });
    expect(await read({ ...later, usedFrom: null })).toEqual({ state: "unclear" });
  });

  it("is lost when it was used only after it could pay", async () => {
    const later = { time: validBefore + 7_200, head: 13_600, used: true };
    // Block 10,015 is 30 seconds after the end, and block 10,016 the first one after it.
    expect(await read({ ...later, usedFrom: 10_017 })).toEqual(canceled);
    expect(await read({ ...later, usedFrom: 10_016 })).toEqual({ state: "unclear" });
  });
});
