import type { Network } from "@x402/core/types";
import type { Reason } from "./offers.ts";

/** Proof of a settled payment: the PAYMENT-RESPONSE header, and `x402/payment-response` in MCP. */
export interface Receipt {
  success: true;
  transaction: string;
  network: Network;
  payer: string;
}

/** The payment was settled, now or before: this is what it bought. */
export interface Paid {
  kind: "paid";
  answer: string;
  receipt: Receipt;
}

/** The payment bought nothing and moved nothing. */
export interface Refused {
  kind: "refused";
  reason: Reason;
}
