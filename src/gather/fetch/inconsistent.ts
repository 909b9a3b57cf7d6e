import type { Endpoint } from "../network/rpc/endpoint.ts";

/** It contradicted itself or two others. Reorganizations do that for a moment, so it is asked again. */
export function noteInconsistent(endpoint: Endpoint): void {
  endpoint.health.rest("inconsistent", restMs, "records");
}

export function noteConsistent(endpoint: Endpoint): void {
  if (!endpoint.health.rests("records")) endpoint.health.succeed("records");
}

const restMs = 30_000;
