import { ServiceError } from "../../../src/kernel/error.ts";
import type { PricedCall } from "../../../src/serve/access/admission.ts";
import { createMetering, type MeteringOptions } from "../../../src/serve/access/metering.ts";
import type { PurchaseRequest } from "../../../src/serve/access/payment/attempt.ts";
import type { Paid, Refused } from "../../../src/serve/access/payment/payment.ts";
import type { Client } from "../../../src/serve/access/quota/client-address.ts";
import type { PassStatus } from "../../../src/serve/access/quota/pass.ts";
import type { ClientLimits, RateLimit } from "../../../src/serve/access/quota/rate-limit.ts";
import { UsageMetrics } from "../../../src/serve/access/usage-metrics.ts";

export const client = "192.0.2.1" as Client;
export const receipt = { success: true, transaction: "0x1", network: "eip155:8453", payer: "0x2" } as const;
export const paid: Paid = { kind: "paid", answer: "bought", receipt };
export const refused: Refused = { kind: "refused", reason: "payment_expired" };
export const broken = new ServiceError("ledger_unavailable");
export const payer = `0x${"2".repeat(40)}`;
export const payment = { authorization: { from: payer } } as never;
export const passToken = "token";
export const call: PricedCall = { client, product: "explain", resource: "/explain", request: "0x1" };
export const body = Buffer.from("body");

export interface World {
  free?: number;
  status?: PassStatus;
  /** What comes of using a pass that is valid. */
  use?: "valid" | "exhausted";
  known?: boolean;
  begins?: "verified" | Paid | Refused | Error;
  commits?: Paid | Refused | Error;
  /** Seconds to wait, by limit. */
  waits?: Partial<Record<keyof ClientLimits, number>>;
  /** Whether the allowance was used up a moment ago. */
  spentLately?: boolean;
}

/** Opens a metering over fake parts. They note every call to them, in order. */
export function openMetering(world: World = {}) {
  const { free = 0, status = "valid", use = "valid", begins = "verified", commits = paid } = world;
  const notes: unknown[] = [];
  const note = (word: unknown) => void notes.push(word);
  const quota = (remaining: number) => ({ limit: 9, remaining, resetSeconds: 5 });
  const held = (name: string, left: unknown) => ({
    charge: () => note(`${name} charged`),
    giveBack: () => {
      note(`${name} given back`);
      return left;
    },
  });
  const say = <T>(word: T | Error): T => {
    if (word instanceof Error) throw word;
    return word;
  };
  const limit = (kind: keyof ClientLimits): RateLimit => ({
    wait: () => world.waits?.[kind] ?? 0,
    spend: (who: Client) => note(`spent ${kind} ${who}`),
    spendAfterGrace: (who: Client) => note(`spent late ${kind} ${who}`),
    refund: (who: Client) => note(`refunded ${kind} ${who}`),
  });
  const release = (cause: unknown) => note(["released", cause]);
  const commit = async (answer: string) => {
    note(["committed", answer]);
    return say(commits);
  };
  const usage = new UsageMetrics();
  const options = {
    freeCalls: {
      take: () =>
        free > 0 ? { quota: quota(free - 1), call: held("free", quota(free)) } : { quota: quota(0), call: null },
      charge: () => {
        if (free === 0) return null;
        note("free charged");
        return quota(free - 1);
      },
      read: () => quota(free),
      recallSpent: () => (world.spentLately ? quota(0) : undefined),
    },
    passes: {
      look: () => (status === "valid" ? { status, remaining: 4 } : { status }),
      use: () => (use === "valid" ? { status: use, call: { remaining: 3, ...held("pass", 4) } } : { status: use }),
    },
    purchases: {
      knows: (request: PurchaseRequest) => {
        note(["known?", request.request]);
        return world.known ?? false;
      },
      begin: async (request: PurchaseRequest) => {
        note(["begun", request]);
        const word = say(begins);
        return word === "verified" ? { kind: "verified", commit, release } : word;
      },
    },
    limits: {
      mistakes: limit("mistakes"),
      messages: limit("messages"),
      work: limit("work"),
      payments: limit("payments"),
    },
    offers: { challenge: (...given: unknown[]) => given },
    ...{ usage, passTerms: "terms" },
  } as unknown as MeteringOptions;
  const counts = () => Object.fromEntries(Object.entries(usage.counts).filter(([, count]) => count));
  return { metering: createMetering(options), options, notes, counts, quota };
}

export const challenged = (reasons: string[], quota: object, where = ["explain", "/explain"], more = {}) => ({
  ...{ kind: "challenged", challenge: [...where, reasons], quota, ...more },
});
export const begun = (parts: object = {}) => [
  "begun",
  { client, product: "explain", resource: "/explain", request: "0x1", payment, claim: undefined, ...parts },
];
