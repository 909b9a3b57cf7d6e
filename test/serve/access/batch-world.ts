import { ServiceError } from "../../../src/kernel/error.ts";
import {
  type AdmittedBatch,
  type BatchMeteringOptions,
  createBatchMetering,
} from "../../../src/serve/access/batch/batch-metering.ts";
import type { BatchCall } from "../../../src/serve/access/batch/batch-payment.ts";
import type { PurchaseRequest } from "../../../src/serve/access/payment/attempt.ts";
import type { Paid, Refused } from "../../../src/serve/access/payment/payment.ts";
import type { Client } from "../../../src/serve/access/quota/client-address.ts";
import { UsageMetrics } from "../../../src/serve/access/usage-metrics.ts";

export const client = "192.0.2.1" as Client;
export const receipt = { success: true, transaction: "0x1", network: "eip155:8453", payer: "0x2" } as const;
export const paid: Paid = { kind: "paid", answer: "", receipt };
export const refused: Refused = { kind: "refused", reason: "payment_expired" };
export const broken = new ServiceError("ledger_unavailable");
export const payer = `0x${"2".repeat(40)}`;
export const payment = { authorization: { from: payer } } as never;
/** The error for a client whose payment was not needed. */
export const unused = {
  code: "payments_unavailable",
  message: "The payment was not used, nothing was charged; send it again.",
  retryAfterSeconds: 1,
};

/** What the parts of a batch metering say. */
export interface BatchWorld {
  /** Calls that are left. */
  free?: number;
  pass?: number;
  /** What the token is; null: no pass. */
  status?: "valid" | "unknown" | "expired";
  /** Whether the payment is under way or settled, and the result of each attempt to begin it. */
  known?: boolean;
  begins?: ("verified" | Paid | Refused | Error)[];
  commits?: Paid | Refused | Error;
  key?: string | null;
  /** How many lines the payment pays for, which ones it bought, and what the ledger gives when a line is bought. */
  lines?: number | null;
  bought?: string[];
  buys?: string | null;
  readFails?: boolean;
  /** Seconds to wait before another payment, and before another batch without one. */
  paymentsWait?: number;
  unpaidWait?: number;
}

/** Opens a batch metering over fake parts. They note every call to them, in order. */
export function openBatches(world: BatchWorld = {}) {
  const { status = "valid", known = false, key = "key", lines = 3, bought = [], buys = "bought answer" } = world;
  const left = { free: world.free ?? 0, pass: world.pass ?? 0 };
  const begins = [...(world.begins ?? ["verified"])];
  const notes: string[] = [];
  const note = (text: string) => void notes.push(text);
  const callOf = (via: "free" | "pass") => ({
    charge: () => note(`${via} charged`),
    giveBack: () => note(`${via} given back`),
  });
  const freeCalls = {
    take: async () => ({ call: left.free-- > 0 ? callOf("free") : null }),
    read: async () => {
      if (world.readFails) throw broken;
      return { limit: 9, remaining: Math.max(0, left.free), resetSeconds: 5 };
    },
  };
  const passes = {
    look: () => (status === "valid" ? { status, remaining: left.pass } : { status }),
    use: async () => (left.pass-- > 0 ? { status: "valid", call: callOf("pass") } : { status: "exhausted" }),
  };
  const released: unknown[] = [];
  const asked: PurchaseRequest[] = [];
  const commit = async (answer: string) => {
    note(`committed ${JSON.stringify(answer)}`);
    const { commits = paid } = world;
    if (commits instanceof Error) throw commits;
    return commits;
  };
  const purchases = {
    keyOf: () => key,
    knows: async () => {
      note("known?");
      return known;
    },
    async begin(request: PurchaseRequest) {
      note(`begun for ${request.lines}`);
      asked.push(request);
      const next = begins.shift();
      if (next instanceof Error) throw next;
      const release = (cause: unknown) => {
        note("released");
        released.push(cause);
      };
      return next === "verified" ? { kind: "verified", commit, release } : next;
    },
  };
  const limits = {
    payments: {
      wait: () => world.paymentsWait ?? 0,
      spend: (who: Client, weight = 1) => {
        if (weight > 0) note(weight === 1 ? `spent ${who}` : `spent ${weight} of ${who}`);
      },
      refund: (who: Client) => note(`refunded ${who}`),
    },
    mistakes: { wait: () => world.unpaidWait ?? 0, spend: (who: Client) => note(`unpaid ${who}`) },
  };
  const offers = {
    challenge: (product: string, resource: string, reasons: string[], count: number) => ({
      ...{ product, resource, reasons, count },
    }),
  };
  const ledger = {
    findPayment: (name: string) => (name === "key" ? { lines } : undefined),
    listLines: (name: string) => (name === "key" ? bought : []),
    findLine: (_key: string, request: string) => (bought.includes(request) ? `old ${request}` : null),
    buyLine: (name: string, line: object) => {
      note(`bought ${JSON.stringify([name, line])}`);
      return buys;
    },
  };
  const usage = new UsageMetrics();
  const options = { freeCalls, passes, purchases, limits, offers, ledger, usage, now: () => 2_000_999 };
  const batches = createBatchMetering(options as unknown as BatchMeteringOptions);
  const admit = (requests: string[], call: Partial<BatchCall> = {}) => batches.admit({ client, requests, ...call });
  const begin = async (requests: string[], call: Partial<BatchCall> = {}) =>
    (await admit(requests, call)) as AdmittedBatch;
  const counts = () => Object.fromEntries(Object.entries(usage.counts).filter(([, count]) => count));
  return { admit, begin, notes, released, asked, counts };
}

/** The fields of an admitted batch that say how it is paid for. */
export const told = (batch: AdmittedBatch) => ({
  ...{ kind: batch.kind, unsettledBeyond: batch.unsettledBeyond, left: batch.creditLeft(), credit: batch.credit() },
});
/** What a batch is told that has to be paid for. */
export const challenge = (reasons: string[], count: number, quota: object, retryAfterSeconds = 0) => ({
  ...{ kind: "challenged", challenge: { product: "batch", resource: "/explain/batch", reasons, count }, quota },
  retryAfterSeconds,
});
/** The free calls of a client who has so many left. */
export const free = (remaining: number) => ({ limit: 9, remaining, resetSeconds: 5 });
export const answer = Buffer.from("answer");
