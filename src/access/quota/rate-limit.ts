import { LRUCache } from "lru-cache";
import { ServiceError } from "../../kernel/error.ts";
import { serviceLimits } from "../../kernel/limits.ts";
import type { Client } from "./client-address.ts";

/** Limits what each client gets without a charge. Each process counts for itself. */
export interface RateLimit {
  /** Seconds until the client may ask again; 0: now. */
  wait(client: Client): number;
  /** Counts one request that ended without a charge. `weight`: how much of a request it counts as. */
  spend(client: Client, weight?: number): void;
  /** Counts a request that failed on our side. The first ones in a minute (a quarter of the rate) are not counted. */
  spendAfterGrace(client: Client): void;
  /** Uncounts one request, because it was charged after all. */
  refund(client: Client): void;
}

/** Throws ServiceError `rate_limited` where the client has to wait. */
export function checkRate(rate: RateLimit, client: Client, message?: string): void {
  const retryAfterSeconds = rate.wait(client);
  if (retryAfterSeconds > 0) throw new ServiceError("rate_limited", message, { retryAfterSeconds });
}

/**
 * Counts a failure. One that the client caused counts at once. One on our side counts only after some, so that an honest client may try
 * again as it was told, but nobody gets endless work for free.
 */
export function countFailure(rate: RateLimit, client: Client, { code, status }: ServiceError): void {
  if (code === "rate_limited") return;
  if (status >= 500) rate.spendAfterGrace(client);
  else rate.spend(client);
}

/** Makes an error handler for failures on our side: it uncounts the request and throws the error again. */
export function refundFailure(rate: RateLimit, client: Client): (cause: unknown) => never {
  return (cause) => {
    rate.refund(client);
    throw cause;
  };
}

/** Counts lines of a batch that cost work and were neither charged nor sent. Each counts like a single request that was given up. */
export function countUnsent(rate: RateLimit, client: Client, lines: number): void {
  for (let line = 0; line < lines; line++) rate.spendAfterGrace(client);
}

/** Creates a rate limit: each client has `perMinute` requests, which are refilled evenly within a minute. 0 means no limit. */
export function createRateLimit(perMinute: number, now: () => number = Date.now): RateLimit {
  if (perMinute === 0) return { wait: () => 0, spend() {}, spendAfterGrace() {}, refund() {} };
  const requests = createBuckets(perMinute, now);
  const forgiven = createBuckets(Math.ceil(perMinute / 4), now);
  return {
    wait: requests.wait,
    spend: requests.spend,
    spendAfterGrace(client) {
      if (forgiven.wait(client) === 0) forgiven.spend(client);
      else requests.spend(client);
    },
    refund: requests.refund,
  };
}

interface Bucket {
  left: number;
  /** Milliseconds. */
  at: number;
}

/** A token bucket for each client. */
function createBuckets(perMinute: number, now: () => number): Omit<RateLimit, "spendAfterGrace"> {
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
    wait(client) {
      const bucket = buckets.get(client);
      if (bucket === undefined) return 0;
      const { left } = refill(bucket);
      return left >= 1 ? 0 : Math.max(1, Math.ceil((1 - left) / perMs / 1000));
    },
    spend(client, weight = 1) {
      const bucket = buckets.get(client);
      if (bucket === undefined) buckets.set(client, { left: perMinute - weight, at: now() });
      else refill(bucket).left = Math.max(0, bucket.left - weight);
    },
    refund(client) {
      const bucket = buckets.get(client);
      if (bucket !== undefined) bucket.left = Math.min(perMinute, bucket.left + 1);
    },
  };
}
