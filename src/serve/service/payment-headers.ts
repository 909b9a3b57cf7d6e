import type { Quota } from "../access/admission.ts";
import type { Sold } from "./answer-kind.ts";
import type { Outcome } from "./outcome.ts";

/** Name, value, name, value, … */
export type HeaderPairs = string[];

/** From a recording: no endpoint had it. */
export function sourceHeaders(source: Sold["source"] | undefined): HeaderPairs {
  return source === "recording" ? ["x-txgloss-source", source] : [];
}

/** PAYMENT-REQUIRED and PAYMENT-RESPONSE: x402. */
export function paymentHeaders(outcome: Outcome): HeaderPairs {
  const headers = outcome.quota === undefined ? [] : quotaHeaders(outcome.quota);
  if (outcome.kind === "challenged") {
    headers.push("payment-required", outcome.challenge.header);
    const { retryAfterSeconds = 0 } = outcome;
    if (retryAfterSeconds > 0) headers.push("retry-after", String(retryAfterSeconds));
  }
  if (outcome.kind === "bought")
    headers.push("payment-response", Buffer.from(JSON.stringify(outcome.receipt)).toString("base64"));
  return headers;
}

/** draft-ietf-httpapi-ratelimit-headers, and the pass. */
export function quotaHeaders({ free, pass }: Quota): HeaderPairs {
  const headers = [
    "ratelimit-policy",
    `"free";q=${free.limit};w=86400`,
    "ratelimit",
    `"free";r=${free.remaining};t=${free.resetSeconds}`,
  ];
  if (pass === undefined) return headers;
  headers.push("x-svc-pass-status", pass.status);
  if (pass.remaining !== undefined) headers.push("x-svc-pass-remaining", String(pass.remaining));
  return headers;
}
