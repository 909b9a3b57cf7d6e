import { LRUCache } from "lru-cache";
import { ServiceError } from "../../kernel/error.ts";
import { serviceLimits } from "../../kernel/limits.ts";
import type { Client } from "./client-address.ts";

/** Limits what each client gets without a charge. Each process counts for itself. */
export interface RateLimit {
  /** Seconds until the client may ask again; 0: now. */
  wait(client: Client): number;
  /** Notes one request that ended without a charge. `weight`: how much of a request it is. */
  spend(client: Client, weight?: number): void;
  /** Notes a request that failed on our side. The first ones of a minute, a quarter of the rate, are forgiven. */
  spendAfterGrace(client: Client): void;
  /** Takes one note back, because the request was charged after all. */
  refund(client: Client): void;
}

/** Throws ServiceError `rate_limited` where the client has to wait. */
export function checkRate(rate: RateLimit, client: Client, message?: string): void {
  const retryAfterSeconds = rate.wait(client);
  if (retryAfterSeconds > 0) throw new ServiceError("rate_limited", message, { retryAfterSeconds });
}

/**
 * Notes a failure: what the client caused at once, and what failed on our side after a grace, so that an honest client may try again
 * as it was told, and nobody gets endless work for nothing.
 */
export function countFailure(rate: RateLimit, client: Client, { code, status }: ServiceError): void {
  if (code === "rate_limited") return;
  if (status >= 500) rate.spendAfterGrace(client);
  else rate.spend(client);
}

/** For what failed on our side: takes the note of its request back, and throws the cause again. */
export function refundFailure(rate: RateLimit, client: Client): (cause: unknown) => never {
  return (cause) => {
    rate.refund(client);
    throw cause;
  };
}

/** Notes so many lines of a batch that were worked on and are neither charged nor told: each as a single request that is given up. */
export function countUntold(rate: RateLimit, client: Client, lines: number): void {
  for (let line = 0; line < lines; line++) rate.spendAfterGrace(client);
}

/** `perMinute` requests at once for each client, refilled evenly within a minute. 0 means no limit. */
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
    // The clock may be set back. That must not take requests away.
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
