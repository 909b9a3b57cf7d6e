import { createHash } from "node:crypto";
import { afterEach, describe, expect, it, vi } from "vitest";
import type { NewPayment, PaymentRow } from "../../src/access/ledger/rows.ts";
import type { PurchaseRequest } from "../../src/access/payment/attempt.ts";
import type { Paid, Refused } from "../../src/access/payment/payment.ts";
import { createPurchases, type PurchasesOptions, type Verified } from "../../src/access/payment/purchase.ts";
import type { Recalled } from "../../src/access/payment/settler.ts";
import type { Client } from "../../src/access/quota/client-address.ts";
import { ServiceError } from "../../src/kernel/error.ts";

const client = "192.0.2.1" as Client;
const payer = `0x${"22".repeat(20)}`;
const payTo = `0x${"44".repeat(20)}`;
const nonce = `0x${"33".repeat(32)}`;
const requirements = { network: "eip155:8453", asset: "0xAB", amount: "500", payTo };
const key = `eip155:8453|0xab|${payer}|${nonce}`;
const receipt = { success: true, transaction: "0x1", network: "eip155:8453", payer: "0x2" } as const;
const paid: Paid = { kind: "paid", answer: "old answer", receipt };
const late: Refused = { kind: "refused", reason: "payment_expired" };
const alreadyUsed = { kind: "refused", reason: "payment_already_used" };
const broken = new ServiceError("ledger_unavailable");
const unavailable = { code: "payments_unavailable", retryAfterSeconds: 5 };

const fingerprintOf = (product: string, request: string) =>
  createHash("sha256").update(`${product}\n${request}`).digest("hex");

/** A request with the payment of this file; its parts replaced. */
function ask(parts: Partial<PurchaseRequest> = {}): PurchaseRequest {
  const signed = { from: payer, to: payTo, value: "500", validAfter: "0", validBefore: "100", nonce };
  const authorization = { ...signed, value: 500n, validAfter: 0n, validBefore: 100n };
  const payload = { payload: { signature: "0xab", authorization: { ...signed, extra: "dropped" } } };
  const payment = { payload, authorization } as unknown as PurchaseRequest["payment"];
  return { product: "explain", resource: "/explain", request: "a", client, payment, ...parts };
}
const payload = {
  ...{ x402Version: 2, resource: "/explain", accepted: requirements },
  payload: {
    signature: "0xab",
    authorization: { from: payer, to: payTo, value: "500", validAfter: "0", validBefore: "100", nonce },
  },
};

interface World {
  /** The row at each look; the last one stays. */
  rows?: (Partial<PaymentRow> | undefined)[];
  recalled?: Recalled[];
  mismatch?: string;
  view?: { used?: boolean; balance?: bigint };
  verdict?: { valid: true } | { valid: false; reason: string } | Error;
  opens?: boolean;
  /** What taking over gives, each time. */
  takeOvers?: (number | null)[];
  concluded?: Paid | Refused | Error | Promise<Paid>;
  claimFails?: boolean;
}

/** Purchases over parts that note what is asked of them. */
function open(world: World = {}) {
  const { view = {}, verdict = { valid: true }, opens = true, concluded = paid } = world;
  const rows = [...(world.rows ?? [undefined])];
  const recalled = [...(world.recalled ?? [])];
  const takeOvers = [...(world.takeOvers ?? [])];
  const next = <T>(list: T[]) => (list.length > 1 ? list.shift() : list[0]) as T;
  const notes: unknown[][] = [];
  const opened: [NewPayment, bigint][] = [];
  const note = (...words: unknown[]) => void notes.push(words);
  const say = <T>(word: T | Error): T => {
    if (word instanceof Error) throw word;
    return word;
  };
  const rowOf = (parts: Partial<PaymentRow> | undefined) =>
    parts && { key, state: "settling", fingerprint: fingerprintOf("explain", "a"), beat: 5, ...parts };
  const options = {
    ledger: {
      findPayment: async (name: string) => {
        note("find", name === key);
        return rowOf(next(rows));
      },
      openPayment: async (...given: [NewPayment, bigint]) => {
        opened.push(given);
        return opens;
      },
      takeOver: async (...given: unknown[]) => {
        note("takeOver", ...given.slice(1));
        return next(takeOvers);
      },
      beat: async (name: string) => note("beat", name === key),
    },
    chain: {
      look: async (asked: unknown) => {
        note("look", asked);
        return { block: 77, used: false, balance: 500n, ...view };
      },
    },
    offers: {
      requirements: () => requirements,
      soldAs: (_product: string, resource: string) => ({ resource }),
      match: () => world.mismatch ?? null,
      linesOf: () => 4,
    },
    facilitator: {
      verify: async (...given: unknown[]) => {
        note("verify", ...given);
        return say(verdict);
      },
      settle: async (...given: unknown[]) => {
        note("settle", ...given);
        return { status: "unknown" };
      },
    },
    settler: {
      pause: async (ms: number) => note("pause", ms),
      recall: async (row: PaymentRow) => {
        note("recall", row.state);
        return next(recalled);
      },
      conclude: async (row: PaymentRow, settlement: unknown) => {
        note("conclude", row.beat, settlement);
        return say(await concluded);
      },
    },
    claims: {
      nameBuyer: (name: string, who: Client) => `${name === key} ${who}`,
      check: async () => {
        note("claim");
        if (world.claimFails) throw new ServiceError("pass_claimed_elsewhere");
      },
    },
    ...{ sender: "0x77", beatMs: 40, now: () => 9_000_999 },
  };
  const purchases = createPurchases(options as unknown as PurchasesOptions);
  const steps = () => notes.map(([name]) => name).join(" ");
  const verified = async (parts: Partial<PurchaseRequest> = {}) => {
    const purchase = await purchases.begin(ask(parts));
    expect(purchase.kind).toBe("verified");
    return purchase as Verified;
  };
  return { purchases, notes, steps, opened, verified };
}
const codeless = ask({ payment: { authorization: null } as never });

describe("the name of a payment", () => {
  it("is its authorization, where it has one", () => {
    const { purchases } = open();
    expect(purchases.keyOf(ask())).toBe(key);
    expect(purchases.keyOf(codeless)).toBeNull();
  });

  it.each<[string, Partial<PaymentRow> | undefined, boolean]>([
    ["nothing", undefined, false],
    ["a failed one", { state: "failed" }, false],
    ["one under way", {}, true],
    ["a settled one", { state: "settled" }, true],
    ["one of another request", { fingerprint: "other" }, false],
  ])("is known where the ledger has %s", async (_name, row, known) => {
    expect(await open({ rows: [row] }).purchases.knows(ask())).toBe(known);
  });

  it("is known without the ledger while it is worked on for the same request", async () => {
    const { purchases, notes, verified } = open();
    expect(await purchases.knows(codeless)).toBe(false);
    expect(notes).toEqual([]);
    expect(purchases.isBusy(key)).toBe(false);
    await verified();
    expect(purchases.isBusy(key)).toBe(true);
    notes.length = 0;
    expect(await purchases.knows(ask())).toBe(true);
    expect(notes).toEqual([]);
    expect(await purchases.knows(ask({ request: "b" }))).toBe(false);
    expect(notes).toEqual([["find", true]]);
  });
});

describe("a new payment", () => {
  it("is looked for, checked on chain, then shown to the facilitator", async () => {
    const { notes, verified } = open();
    await verified();
    expect(notes).toEqual([
      ["find", true],
      ["look", { payer, nonce }],
      ["verify", payload, requirements],
    ]);
  });

  it.each<[string, World, PurchaseRequest, string, string]>([
    ["of a kind that is not taken", {}, codeless, "unsupported_payload_type", ""],
    ["that does not match", { mismatch: "payment_mismatch" }, ask(), "payment_mismatch", "find"],
    [
      "that the facilitator refuses",
      { verdict: { valid: false, reason: "bad_signature" } },
      ask(),
      "bad_signature",
      "find look verify find",
    ],
    ["that was used", { view: { used: true } }, ask(), "invalid_exact_evm_nonce_already_used", "find look verify find"],
    [
      "that the balance does not cover",
      { view: { balance: 499n } },
      ask(),
      "invalid_exact_evm_insufficient_balance",
      "find look verify find",
    ],
  ])("is refused: one %s", async (_name, world, request, reason, steps) => {
    const parts = open(world);
    expect(await parts.purchases.begin(request)).toEqual({ kind: "refused", reason });
    expect(parts.steps()).toBe(steps);
    expect(parts.purchases.isBusy(key)).toBe(false);
  });

  it("that was settled while it was checked is told from the ledger", async () => {
    const { purchases, steps } = open({
      rows: [undefined, { state: "settled" }],
      recalled: [paid],
      view: { used: true },
    });
    expect(await purchases.begin(ask())).toEqual(paid);
    expect(steps()).toBe("find look verify find recall");
  });

  it("is free again when checking it fails", async () => {
    const { purchases } = open({ verdict: broken });
    const both = await Promise.allSettled([purchases.begin(ask()), purchases.begin(ask())]);
    expect(both).toMatchObject([{ reason: broken }, { reason: broken }]);
    expect(purchases.isBusy(key)).toBe(false);
  });

  it("is free again when its work gave nothing, and who waited is told why", async () => {
    const { purchases, verified, notes } = open();
    const purchase = await verified();
    const waiting = purchases.begin(ask());
    expect(await purchases.begin(ask({ request: "b" }))).toEqual(alreadyUsed);
    purchase.release(broken);
    await expect(waiting).rejects.toBe(broken);
    expect(purchases.isBusy(key)).toBe(false);
    expect(notes).toHaveLength(3);
  });
});

describe("the row of a payment", () => {
  it.each<[string, Partial<PurchaseRequest>, object]>([
    ["for an answer", {}, { product: "explain", buyer: null, lines: null }],
    ["for a pass", { product: "pass" }, { product: "pass", buyer: `true ${client}`, lines: null }],
    ["for a batch", { product: "batch" }, { product: "batch", buyer: `true ${client}`, lines: 4 }],
  ])("%s is written before it is settled", async (_name, parts, expected) => {
    const { opened, verified, notes, purchases } = open({ rows: [undefined, { beat: 8 }] });
    const purchase = await verified(parts);
    notes.length = 0;
    expect(await purchase.commit("new answer")).toEqual(paid);
    const row = {
      ...{ key, fingerprint: fingerprintOf(String(parts.product ?? "explain"), "a"), payer, nonce, payTo },
      ...{ amount: 500n, validBefore: 100, answer: "new answer", openedAt: 9_000, openedBlock: 77, senders: "0x77" },
    };
    expect(opened).toEqual([[{ ...row, ...expected }, 500n]]);
    expect(notes.slice(0, 3)).toEqual([
      ["find", true],
      ["settle", payload, requirements],
      ["conclude", 8, { status: "unknown" }],
    ]);
    expect(notes.slice(3)).toEqual(parts.product === undefined ? [] : [["claim"]]);
    expect(purchases.isBusy(key)).toBe(false);
  });

  it("that somebody else wrote is followed", async () => {
    const { verified } = open({ opens: false, rows: [undefined, { state: "settled" }], recalled: [paid] });
    expect(await (await verified()).commit("new answer")).toEqual(paid);
  });

  it("that somebody else dropped this moment is no refusal", async () => {
    const { verified, purchases } = open({
      opens: false,
      rows: [undefined, { state: "failed" }],
      recalled: [{ kind: "unsent" }],
    });
    await expect((await verified()).commit("x")).rejects.toMatchObject(unavailable);
    expect(purchases.isBusy(key)).toBe(false);
  });

  it("is not written where the balance does not cover all that is under way", async () => {
    const { verified } = open({ opens: false });
    expect(await (await verified()).commit("x")).toEqual({
      ...{ kind: "refused", reason: "invalid_exact_evm_insufficient_balance" },
    });
  });

  it("gives who waits for it the same end", async () => {
    const { verified, purchases } = open({ rows: [undefined, {}] });
    const purchase = await verified();
    const waiting = purchases.begin(ask());
    expect([await purchase.commit("x"), await waiting]).toEqual([paid, paid]);
    const failing = open({ rows: [undefined, {}], concluded: broken });
    const other = await failing.verified();
    const following = failing.purchases.begin(ask());
    const ends = await Promise.allSettled([other.commit("x"), following]);
    expect(ends).toMatchObject([{ reason: broken }, { reason: broken }]);
    expect(failing.purchases.isBusy(key)).toBe(false);
  });
});

describe("a payment from before", () => {
  it("tells its end to whoever shows it, and buys nothing else", async () => {
    const { purchases, steps } = open({ rows: [{ state: "settled" }], recalled: [paid] });
    expect(await purchases.begin(ask())).toEqual(paid);
    expect(steps()).toBe("find recall");
    expect(await purchases.begin(ask({ request: "b" }))).toEqual(alreadyUsed);
    expect(steps()).toBe("find recall find");
  });

  it("is new again where nothing was ever sent for it", async () => {
    const { verified, steps } = open({ rows: [{ state: "failed" }], recalled: [{ kind: "unsent" }] });
    await verified();
    expect(steps()).toBe("find recall look verify");
  });

  it.each<[PurchaseRequest["product"], Recalled, string]>([
    ["explain", paid, "find recall"],
    ["pass", paid, "find recall claim"],
    ["batch", paid, "find recall claim"],
    ["batch", late, "find recall"],
  ])("gives what a %s bought only to the buyer", async (product, recalled, steps) => {
    const fingerprint = fingerprintOf(product, "a");
    const row = { state: "settled", fingerprint } as const;
    const parts = open({ rows: [row], recalled: [recalled] });
    expect(await parts.purchases.begin(ask({ product }))).toEqual(recalled);
    expect(parts.steps()).toBe(steps);
    const stranger = open({ rows: [row], recalled: [recalled], claimFails: true });
    const told = await stranger.purchases.begin(ask({ product })).catch(({ code }) => code);
    expect(told).toEqual(steps.endsWith("claim") ? "pass_claimed_elsewhere" : recalled);
  });
});

describe("a payment that somebody works on", () => {
  const openState: Recalled[] = [{ kind: "open" }];

  it("is taken over after three silent beats", async () => {
    const { purchases, notes } = open({ rows: [{}, { beat: 6 }, { beat: 6 }], recalled: openState, takeOvers: [7] });
    expect(await purchases.begin(ask())).toEqual(paid);
    const look = [
      ["pause", 40],
      ["find", true],
    ];
    expect(notes).toEqual([
      ...[["find", true], ["recall", "settling"], ...look, ...look, ...look, ...look],
      ["takeOver", { wallet: "0x77", beat: 6 }],
      ["settle", payload, requirements],
      ["conclude", 6, { status: "unknown" }],
    ]);
  });

  it("is looked at again where another replica was faster", async () => {
    const { purchases, notes } = open({ rows: [{}], recalled: openState, takeOvers: [null, 6] });
    expect(await purchases.begin(ask())).toEqual(paid);
    expect(notes.filter(([name]) => name === "pause")).toHaveLength(4);
  });

  it.each<[Recalled, object]>([
    [paid, paid],
    [late, late],
    [{ kind: "unsent" }, unavailable],
  ])("is told once it is closed: %j", async (end, expected) => {
    const { purchases, steps } = open({ rows: [{}, { state: "failed" }], recalled: [{ kind: "open" }, end] });
    expect(await purchases.begin(ask()).catch((thrown: object) => thrown)).toMatchObject(expected);
    expect(steps()).toBe("find recall pause find recall");
  });

  it("is pending after fifteen beats", async () => {
    const rows = Array.from({ length: 30 }, (_, beat) => ({ beat }));
    const { purchases, notes } = open({ rows, recalled: openState, takeOvers: [1] });
    const pending = { code: "settlement_pending", retryAfterSeconds: 3 };
    await expect(purchases.begin(ask())).rejects.toMatchObject(pending);
    expect(notes.filter(([name]) => name === "pause")).toHaveLength(15);
  });
});

describe("the signs of life while a payment is settled", () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it.each(["settled", "failed"])("are given until it is %s", async (end) => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const concluded = Promise.withResolvers<Paid>();
    const { verified, notes } = open({ rows: [undefined, {}], concluded: concluded.promise });
    const committed = (await verified()).commit("x").catch((thrown: unknown) => thrown);
    await new Promise((resolve) => setImmediate(resolve));
    expect(notes.at(-1)?.[0]).toBe("conclude");
    vi.advanceTimersByTime(80);
    expect(notes.slice(-2)).toEqual([
      ["beat", true],
      ["beat", true],
    ]);
    if (end === "settled") concluded.resolve(paid);
    else concluded.reject(broken);
    expect(await committed).toEqual(end === "settled" ? paid : broken);
    expect(vi.getTimerCount()).toBe(0);
  });
});
