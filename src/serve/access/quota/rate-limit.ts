import { LRUCache } from "lru-cache";
import type { Address } from "../../../kernel/address.ts";
import { type ErrorCode, ServiceError } from "../../../kernel/error.ts";
import { serviceLimits } from "../../../kernel/limits.ts";
import type { Client } from "./client-address.ts";

/** Without a charge; each process for itself. */
export interface RateLimit {
  /** Seconds; 0: now. */
  wait(client: Client): number;
  /** Used more than allowed, known only after admission. */
  owes?(client: Client): boolean;
  /** Ended without a charge. `weight`: in requests. */
  spend(client: Client, weight?: number): void;
  /** Failed on our side; a quarter of the rate a minute is not counted. */
  spendAfterGrace(client: Client): void;
  /** Charged after all. */
  refund(client: Client, weight?: number): void;
}

/** Within a minute, uncharged. Counted apart: mistakes behind an address keep no call there from being answered. */
export interface ClientLimits {
  /** Refused before any work: unreadable, or no payment. Beyond the limit only such are refused. */
  mistakes: RateLimit;
  /** MCP, neither answer nor pass. */
  messages: RateLimit;
  /** Without answer or charge: of client, pass or payer. */
  work: RateLimit;
  /** Checked, bought nothing new. */
  payments: RateLimit;
}

/** From any address. */
export function passAsClient(token: string): Client {
  return `pass ${token}` as Client;
}

/** Verified. */
export function payerAsClient(payer: Address): Client {
  return `payer ${payer}` as Client;
}

/** Throws ServiceError `rate_limited`. */
export function checkRate(rate: RateLimit, client: Client, message?: string): void {
  const retryAfterSeconds = rate.wait(client);
  if (retryAfterSeconds > 0) throw new ServiceError("rate_limited", message, { retryAfterSeconds });
}

/** Where neither a mistake (below 500) nor work failed on our side. */
const limitOf: Partial<Record<ErrorCode, keyof ClientLimits>> = {
  ...{ transaction_not_found: "work", transaction_pending: "work", line_not_paid: "work" },
  ...{ pass_claimed_elsewhere: "payments", payments_unavailable: "payments", settlement_pending: "payments" },
  ...{ pass_not_shown: "payments", payments_not_configured: "mistakes", untrusted_forwarding: "mistakes" },
};

function limitFor({ code, status }: ServiceError): keyof ClientLimits {
  return limitOf[code] ?? (status >= 500 ? "work" : "mistakes");
}

/** `rate_limited` for a mistake of a client with too many. */
export function limitMistakes({ mistakes }: ClientLimits, client: Client, failure: ServiceError): ServiceError {
  const retryAfterSeconds = limitFor(failure) === "mistakes" ? mistakes.wait(client) : 0;
  if (retryAfterSeconds === 0) return failure;
  return new ServiceError("rate_limited", undefined, { retryAfterSeconds, cause: failure.cause });
}

/**
 * The client's own at once; ours after some, so that an honest one may try again but nobody gets endless free work. `worker`: counts work.
 */
export function countFailure(limits: ClientLimits, client: Client, failure: ServiceError, worker = client): void {
  if (failure.code === "rate_limited") return;
  const kind = limitFor(failure);
  const counted = kind === "work" ? worker : client;
  if (failure.status >= 500 && kind !== "mistakes") limits[kind].spendAfterGrace(counted);
  else limits[kind].spend(counted);
}

/** Offers no payment. Seconds to wait; 0: not too fast. */
export function countUnpaid({ mistakes }: ClientLimits, client: Client): number {
  const wait = mistakes.wait(client);
  mistakes.spend(client);
  return wait;
}

/** Counts first: else many bad payments at once would all be verified. Rejects with ServiceError `rate_limited`. */
export function beginCounted<T>({ payments }: ClientLimits, client: Client, begin: () => Promise<T>): Promise<T> {
  checkRate(payments, client);
  payments.spend(client);
  return begin().catch(refundFailure(payments, client));
}

/** Uncounts a failure on our side and throws it. */
export function refundFailure(rate: RateLimit, client: Client): (cause: unknown) => never {
  return (cause) => {
    rate.refund(client);
    throw cause;
  };
}

/** Counted at admission, as if in vain. */
export interface CountedWork {
  /** Once its size is known. */
  grow(size: number): void;
  /** Throws ServiceError `rate_limited` where other work turned out so large that the client owes some. */
  check(): void;
  /** Charged, or its failure counts otherwise. `all` false: what its size added stays. */
  end(all: boolean): void;
}

/** Before it is done, so that many at once are no more than in turn. Throws ServiceError `rate_limited`. */
export function countWork(work: RateLimit, worker: Client): CountedWork {
  checkRate(work, worker);
  work.spend(worker);
  let added = 0;
  return {
    grow(size) {
      // What cannot be spent is not given back either.
      const more = Math.min(size - 1, workWeightMax);
      work.spend(worker, more);
      added += more;
    },
    check: () => checkDebt(work, worker),
    end: (all) => work.refund(worker, 1 + (all ? added : 0)),
  };
}

/** Throws ServiceError `rate_limited`. */
export function checkDebt(rate: RateLimit, client: Client): void {
  if (rate.owes?.(client) === true) checkRate(rate, client);
}

/** Requests. */
const workWeightMax = 100;

/** Lines worked on, neither charged nor sent: each as a request given up. */
export function countUnsent(work: RateLimit, worker: Client, lines: number): void {
  for (let line = 0; line < lines; line++) work.spendAfterGrace(worker);
}

/** Refilled evenly within a minute; 0: no limit. */
export function createRateLimit(perMinute: number, now: () => number = Date.now): RateLimit {
  if (perMinute === 0) return { wait: () => 0, spend() {}, spendAfterGrace() {}, refund() {} };
  const requests = createBuckets(perMinute, now);
  const forgiven = createBuckets(Math.ceil(perMinute / 4), now);
  return {
    wait: requests.wait,
    owes: requests.owes,
    spend: requests.spend,
    spendAfterGrace(client) {
      if (forgiven.wait(client) === 0) forgiven.spend(client);
      else requests.spend(client);
    },
    refund: requests.refund,
  };
}

/** All clients together have one too. */
export function withTotal(rate: RateLimit, total: RateLimit): RateLimit {
  const all = "all" as Client;
  return {
    ...rate,
    wait: (client) => Math.max(rate.wait(client), total.wait(all)),
    spend(client, weight) {
      rate.spend(client, weight);
      total.spend(all, weight);
    },
  };
}

interface Bucket {
  left: number;
  /** Milliseconds. */
  at: number;
}

function createBuckets(perMinute: number, now: () => number) {
  const buckets = new LRUCache<Client, Bucket>({ max: serviceLimits.ratedClientsMax });
  const perMs = perMinute / 60_000;

  function refill(bucket: Bucket): Bucket {
    const at = now();
    // If the clock is set back, that must not take requests away.
    bucket.left = Math.min(perMinute, bucket.left + Math.max(0, at - bucket.at) * perMs);
    bucket.at = at;
    return bucket;
  }

  return {
    owes(client: Client): boolean {
      const bucket = buckets.get(client);
      return bucket !== undefined && refill(bucket).left < 0;
    },
    wait(client: Client): number {
      const bucket = buckets.get(client);
      if (bucket === undefined) return 0;
      const { left } = refill(bucket);
      return left >= 1 ? 0 : Math.max(1, Math.ceil((1 - left) / perMs / 1000));
    },
    spend(client: Client, weight = 1): void {
      const bucket = buckets.get(client);
      if (bucket === undefined) buckets.set(client, { left: Math.max(-perMinute, perMinute - weight), at: now() });
      else {
        const { left } = refill(bucket);
        // What counts as more than one is a debt: it is known only after the work was admitted.
        bucket.left = Math.max(weight > 1 ? -perMinute : Math.min(0, left), left - weight);
      }
    },
    refund(client: Client, weight = 1): void {
      const bucket = buckets.get(client);
      if (bucket !== undefined) bucket.left = Math.min(perMinute, bucket.left + weight);
    },
  };
}
