import { createHash } from "node:crypto";
import { expect } from "vitest";
import { ServiceError } from "../../../src/kernel/error.ts";
import type { NewPayment, PaymentRow } from "../../../src/serve/access/ledger/rows.ts";
import type { PurchaseRequest } from "../../../src/serve/access/payment/attempt.ts";
import type { Paid, Refused } from "../../../src/serve/access/payment/payment.ts";
import { createPurchases, type PurchasesOptions, type Verified } from "../../../src/serve/access/payment/purchase.ts";
import type { Recalled } from "../../../src/serve/access/payment/settler.ts";
import type { Client } from "../../../src/serve/access/quota/client-address.ts";

/** The payment that is offered, and its name. */
export const client = "192.0.2.1" as Client;
export const payer = `0x${"22".repeat(20)}`;
export const payTo = `0x${"44".repeat(20)}`;
export const nonce = `0x${"33".repeat(32)}`;
export const requirements = { network: "eip155:8453", asset: "0xAB", amount: "500", payTo };
export const key = `eip155:8453|0xab|${payer}|${nonce}`;
const receipt = { success: true, transaction: "0x1", network: "eip155:8453", payer: "0x2" } as const;
export const paid: Paid = { kind: "paid", answer: "old answer", receipt };
export const alreadyUsed = { kind: "refused", reason: "payment_already_used" };
export const broken = new ServiceError("ledger_unavailable");
export const unavailable = { code: "payments_unavailable", retryAfterSeconds: 5 };

/** As the ledger keeps what a payment was for. */
export const fingerprintOf = (product: string, request: string) =>
  createHash("sha256").update(`${product}\n${request}`).digest("hex");

/** A request with this payment; its parts replaced. */
export function ask(parts: Partial<PurchaseRequest> = {}): PurchaseRequest {
  const signed = { from: payer, to: payTo, value: "500", validAfter: "0", validBefore: "100", nonce };
  const authorization = { ...signed, value: 500n, validAfter: 0n, validBefore: 100n };
  const payload = { payload: { signature: "0xab", authorization: { ...signed, extra: "dropped" } } };
  const payment = { payload, authorization } as unknown as PurchaseRequest["payment"];
  return { product: "explain", resource: "/explain", request: "a", client, payment, ...parts };
}

/** The payment as the facilitator is shown it. */
export const payload = {
  ...{ x402Version: 2, resource: "/explain", accepted: requirements },
  payload: {
    signature: "0xab",
    authorization: { from: payer, to: payTo, value: "500", validAfter: "0", validBefore: "100", nonce },
  },
};

/** What the parts of a purchase say. */
export interface PurchaseWorld {
  /** By default the ledger is one that several instances share. */
  database?: "sqlite";
  /** The row at each look; the last one stays. */
  rows?: (Partial<PaymentRow> | undefined)[];
  recalled?: Recalled[];
  mismatch?: string;
  view?: { used?: boolean; balance?: bigint };
  verdict?: { valid: true } | { valid: false; reason: string } | Error;
  /** The result of opening the row, for each attempt. The last one is used for all later attempts. */
  opens?: boolean | boolean[];
  /** The payers of the other payments under way, at each look. The last list is used for all later looks. */
  others?: string[][];
  /** What taking over gives, each time. */
  takeOvers?: (number | null)[];
  concluded?: Paid | Refused | Error | Promise<Paid>;
  claimFails?: boolean;
  /** The payment that is shown is not signed by the payer. */
  forged?: boolean;
}

/** Purchases over parts that note what is asked of them. */
export function openPurchases(world: PurchaseWorld = {}) {
  const { view = {}, verdict = { valid: true }, opens = true, concluded = paid } = world;
  const openings = [opens].flat();
  const others = [...(world.others ?? [[]])];
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
  const signed = { payTo, amount: 500n, validBefore: 100 };
  const rowOf = (parts: Partial<PaymentRow> | undefined) =>
    parts && { key, ...signed, state: "settling", fingerprint: fingerprintOf("explain", "a"), beat: 5, ...parts };
  const options = {
    ledger: {
      database: world.database ?? "postgres",
      findPayment: async (name: string) => {
        note("find", name === key);
        return rowOf(next(rows));
      },
      openPayment: async (...given: [NewPayment, bigint]) => {
        opened.push(given);
        return next(openings);
      },
      hasOpenPayment: async (who: string, block: number) => {
        note("open?", block);
        return next(others).includes(who);
      },
      takeOver: async (...given: unknown[]) => {
        note("takeOver", ...given.slice(1));
        return next(takeOvers);
      },
      beat: async (name: string) => note("beat", name === key),
      giveAnswer: async (name: string, ...given: unknown[]) => note("answer", name === key, ...given),
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
      renew: async () => {
        note("renew");
        return "a new token";
      },
      conclude: async (row: PaymentRow, settlement: unknown) => {
        note("conclude", row.beat, settlement);
        return say(await concluded);
      },
    },
    claims: {
      nameBuyer: (name: string, { client: who }: PurchaseRequest) => `${name === key} ${who}`,
      isSigned: async () => world.forged !== true,
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
