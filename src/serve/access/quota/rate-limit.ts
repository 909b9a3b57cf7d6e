import { LRUCache } from "lru-cache";
import type { Address } from "../../../kernel/address.ts";
import { type ErrorCode, ServiceError } from "../../../kernel/error.ts";
import { serviceLimits } from "../../../kernel/limits.ts";
import type { Client } from "./client-address.ts";

/** Limits what each client gets without a charge. Each process counts for itself. */
export interface RateLimit {
  /** Seconds until the client may ask again; 0: now. */
  wait(client: Client): number;
  /** Whether the client has used more than it may, which it learns only after work was admitted. */
  owes?(client: Client): boolean;
  /** Counts one request that ended without a charge. `weight`: how much of a request it counts as. */
  spend(client: Client, weight?: number): void;
  /** Counts a request that failed on our side. The first ones in a minute (a quarter of the rate) are not counted. */
  spendAfterGrace(client: Client): void;
  /** Uncounts one request, or what it counted as, because it was charged after all. */
  refund(client: Client, weight?: number): void;
}

/**
 * What one client may do within a minute without being charged. Each kind is counted apart, so that mistakes behind an address keep no call
 * of others there from being answered.
 */
export interface ClientLimits {
  /** Requests that are refused before any work: they cannot be read, or offer no payment. Beyond the limit only such are refused. */
  mistakes: RateLimit;
  /** Messages of MCP that ask for neither an answer nor a pass. */
  messages: RateLimit;
  /** Work that ended without an answer or a charge: for the client, and for the pass or the payer where one was shown. */
  work: RateLimit;
  /** Payments that were checked and bought nothing new. */
  payments: RateLimit;
}

/** Whom the work for a pass counts against, whatever address it is asked from. */
export function passAsClient(token: string): Client {
  return `pass ${token}` as Client;
}

/** Whom the work for a verified payment counts against. */
export function payerAsClient(payer: Address): Client {
  return `payer ${payer}` as Client;
}

/** Throws ServiceError `rate_limited` where the client has to wait. */
export function checkRate(rate: RateLimit, client: Client, message?: string): void {
  const retryAfterSeconds = rate.wait(client);
  if (retryAfterSeconds > 0) throw new ServiceError("rate_limited", message, { retryAfterSeconds });
}

/** The limit that a failure counts against, where it is neither a mistake (below 500) nor work that failed on our side. */
const limitOf: Partial<Record<ErrorCode, keyof ClientLimits>> = {
  ...{ transaction_not_found: "work", transaction_pending: "work", line_not_paid: "work" },
  ...{ pass_claimed_elsewhere: "payments", payments_unavailable: "payments", settlement_pending: "payments" },
  ...{ pass_not_shown: "payments", payments_not_configured: "mistakes", untrusted_forwarding: "mistakes" },
};

function limitFor({ code, status }: ServiceError): keyof ClientLimits {
  return limitOf[code] ?? (status >= 500 ? "work" : "mistakes");
}

/** The failure as it is told: `rate_limited` instead of a mistake of a client that makes too many. */
export function limitMistakes({ mistakes }: ClientLimits, client: Client, failure: ServiceError): ServiceError {
  const retryAfterSeconds = limitFor(failure) === "mistakes" ? mistakes.wait(client) : 0;
  if (retryAfterSeconds === 0) return failure;
  return new ServiceError("rate_limited", undefined, { retryAfterSeconds, cause: failure.cause });
}

/**
 * Counts a failure. One that the client caused counts at once. One on our side counts only after some, so that an honest client may try
 * again as it was told, but nobody gets endless work for free. `worker`: whom work counts against.
 */
export function countFailure(limits: ClientLimits, client: Client, failure: ServiceError, worker = client): void {
  if (failure.code === "rate_limited") return;
  const kind = limitFor(failure);
  const counted = kind === "work" ? worker : client;
  if (failure.status >= 500 && kind !== "mistakes") limits[kind].spendAfterGrace(counted);
  else limits[kind].spend(counted);
}

/** Counts a request that offers no payment. Gives the seconds to wait before the next one; 0: it was not too fast. */
export function countUnpaid({ mistakes }: ClientLimits, client: Client): number {
  const wait = mistakes.wait(client);
  mistakes.spend(client);
  return wait;
}

/**
 * Checks a payment, which counts first: otherwise many bad payments at once would all be verified before the first one counts. Rejects with
 * ServiceError `rate_limited` where there were too many.
 */
export function beginCounted<T>({ payments }: ClientLimits, client: Client, begin: () => Promise<T>): Promise<T> {
  checkRate(payments, client);
  payments.spend(client);
  return begin().catch(refundFailure(payments, client));
}

/** Makes an error handler for failures on our side: it uncounts the request and throws the error again. */
export function refundFailure(rate: RateLimit, client: Client): (cause: unknown) => never {
  return (cause) => {
    rate.refund(client);
    throw cause;
  };
}

/** Work that was counted when it was admitted, as if it would come to nothing. */
export interface CountedWork {
  /** Counts the work as what it is, once its size is known. */
  grow(size: number): void;
  /** Throws ServiceError `rate_limited` where other work of the client turned out so large that it owes some. */
  check(): void;
  /** Uncounts it, because it was charged, or because its failure is counted in its own way. `all` false: what its size added stays. */
  end(all: boolean): void;
}

/**
 * Counts work before it is done, so that many calls at once cannot do more of it than one after the other. Throws ServiceError
 * `rate_limited` where too much came to nothing.
 */
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

/** Throws ServiceError `rate_limited` where the client owes some of what it used. */
export function checkDebt(rate: RateLimit, client: Client): void {
  if (rate.owes?.(client) === true) checkRate(rate, client);
}

/** So much of a minute's requests one piece of work may count as. */
const workWeightMax = 100;

/** Counts lines of a batch that cost work and were neither charged nor sent. Each counts like a single request that was given up. */
export function countUnsent(work: RateLimit, worker: Client, lines: number): void {
  for (let line = 0; line < lines; line++) work.spendAfterGrace(worker);
}

/** Creates a rate limit: each client has `perMinute` requests, which are refilled evenly within a minute. 0 means no limit. */
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

/** The same limit, but all clients together also have one. */
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

/** A token bucket for each client. */
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
