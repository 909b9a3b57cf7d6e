import type { Quota } from "../access/admission.ts";
import type { Sold } from "./answer-kind.ts";
import type { Outcome } from "./outcome.ts";

export type Headers = Readonly<Record<string, string>>;

/** From a recording: no endpoint had it. */
export function sourceHeaders(source: Sold["source"] | undefined): Headers {
  return source === "recording" ? { "x-txgloss-source": source } : {};
}

/** PAYMENT-REQUIRED and PAYMENT-RESPONSE: x402. */
export function paymentHeaders(outcome: Outcome): Headers {
  const headers = outcome.quota === undefined ? {} : quotaHeaders(outcome.quota);
  if (outcome.kind === "challenged") {
    const { challenge, retryAfterSeconds = 0 } = outcome;
    const wait = retryAfterSeconds > 0 && { "retry-after": String(retryAfterSeconds) };
    return { ...headers, "payment-required": challenge.header, ...wait };
  }
  return outcome.kind === "bought" ? { ...headers, "payment-response": proofOf(outcome.receipt) } : headers;
}

/** base64. */
export function proofOf(receipt: object): string {
  return Buffer.from(JSON.stringify(receipt)).toString("base64");
}

/** draft-ietf-httpapi-ratelimit-headers, and the pass. */
export function quotaHeaders({ free, pass }: Quota): Headers {
  return {
    "ratelimit-policy": `"free";q=${free.limit};w=86400`,
    ratelimit: `"free";r=${free.remaining};t=${free.resetSeconds}`,
    ...(pass && { "x-svc-pass-status": pass.status }),
    ...(pass?.remaining !== undefined && { "x-svc-pass-remaining": String(pass.remaining) }),
  };
}
