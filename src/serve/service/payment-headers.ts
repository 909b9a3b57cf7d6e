import type { Quota } from "../access/admission.ts";
import type { Sold } from "./answer-kind.ts";
import type { Outcome } from "./outcome.ts";

/** A header name and its value, then the next name and its value, and so on. */
export type HeaderPairs = string[];

/** The header that marks an answer made from a recording, because no endpoint gave the transaction. */
export function sourceHeaders(source: Sold["source"] | undefined): HeaderPairs {
  return source === "recording" ? ["x-txgloss-source", source] : [];
}

/** The headers about quota and payment. PAYMENT-REQUIRED and PAYMENT-RESPONSE are defined by x402. */
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

/** The headers for the free calls left today (draft-ietf-httpapi-ratelimit-headers), and for the state of the pass. */
export function quotaHeaders({ free, pass }: Quota): HeaderPairs {
  const headers = [
    "ratelimit-policy",
    policyOf(free.limit),
    "ratelimit",
    `"free";r=${free.remaining};t=${free.resetSeconds}`,
  ];
  if (pass === undefined) return headers;
  headers.push("x-svc-pass-status", pass.status);
  if (pass.remaining !== undefined) headers.push("x-svc-pass-remaining", String(pass.remaining));
  return headers;
}

/** A pure cache. All clients of a server have the same policy, and Node.js checks a known string faster than a new one. */
const policies = new Map<number, string>();

function policyOf(limit: number): string {
  let policy = policies.get(limit);
  if (policy === undefined) {
    policy = `"free";q=${limit};w=86400`;
    policies.set(limit, policy);
  }
  return policy;
}
