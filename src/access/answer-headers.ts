import type { Standing } from "./admission.ts";
import type { FreeStanding } from "./allowance.ts";
import type { Receipt } from "./receipt.ts";

/** Header names and values in turn (draft-ietf-httpapi-ratelimit-headers): what is left today, and of the pass. */
export function standingHeaders({ free, pass }: Standing): string[] {
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
export function receiptHeader(receipt: Receipt): string {
  return Buffer.from(JSON.stringify(receipt)).toString("base64");
}

function policyOf({ limit }: FreeStanding): string {
  return `"free";q=${limit};w=86400`;
}
