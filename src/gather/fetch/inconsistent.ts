import type { Endpoint } from "../network/rpc/endpoint.ts";

/**
 * Notes that an endpoint contradicted itself or two others. A node may do so for a moment while blocks are reorganized, so it is asked
 * again.
 */
export function noteInconsistent(endpoint: Endpoint): void {
  endpoint.health.rest("inconsistent", restMs, "records");
}

/** Notes that an answer of the endpoint holds. */
export function noteConsistent(endpoint: Endpoint): void {
  if (!endpoint.health.rests("records")) endpoint.health.succeed("records");
}

const restMs = 30_000;
