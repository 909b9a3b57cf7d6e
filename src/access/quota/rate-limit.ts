import { LRUCache } from "lru-cache";
import { limits } from "../../kernel/limits.ts";
import type { Client } from "./client-address.ts";

/** Limits the requests of each client that end without a charge. Each process counts for itself. */
export interface RateLimit {
  /** Seconds until the client may ask again; 0: now. */
  wait(client: Client): number;
  /** Notes one request that ended without a charge. */
  spend(client: Client): void;
  /** Takes one note back, because the request was charged after all. */
  refund(client: Client): void;
}

interface Bucket {
  left: number;
  /** Milliseconds. */
  at: number;
}

/** A token bucket per client: `perMinute` requests at once, refilled evenly within a minute. 0 means no limit. */
export function createRateLimit(perMinute: number, now: () => number = Date.now): RateLimit {
  if (perMinute === 0) return { wait: () => 0, spend() {}, refund() {} };
  const buckets = new LRUCache<Client, Bucket>({ max: limits.ratedClientsMax });
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
    spend(client) {
      const bucket = buckets.get(client);
      if (bucket === undefined) buckets.set(client, { left: perMinute - 1, at: now() });
      else refill(bucket).left = Math.max(0, bucket.left - 1);
    },
    refund(client) {
      const bucket = buckets.get(client);
      if (bucket !== undefined) bucket.left = Math.min(perMinute, bucket.left + 1);
    },
  };
}
