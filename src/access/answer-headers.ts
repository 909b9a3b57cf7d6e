import type { Quota } from "./admission.ts";
import type { PaymentReceipt } from "./payment/payment-result.ts";
import type { FreeQuota } from "./quota/free-calls.ts";

/** Header names and values in turn (draft-ietf-httpapi-ratelimit-headers): what is left today, and of the pass. */
export function quotaHeaders({ free, pass }: Quota): string[] {
  const headers = [
    "ratelimit-policy",
    policyOf(free),
    "ratelimit",
    `"free";r=${free.remaining};t=${free.resetSeconds}`,
  ];
  if (pass === undefined) return headers;
  headers.push("x-svc-pass-status", pass.status);
  if (pass.remaining !== undefined) headers.push("x-svc-pass-remaining", String(pass.remaining));
  return headers;
}

/** The PAYMENT-RESPONSE header. */
export function receiptHeader(receipt: PaymentReceipt): string {
  return Buffer.from(JSON.stringify(receipt)).toString("base64");
}

function policyOf({ limit }: FreeQuota): string {
  return `"free";q=${limit};w=86400`;
}
