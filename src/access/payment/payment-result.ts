import type { Network } from "@x402/core/types";
import type { Reason } from "./offers.ts";

/** Proof of a settled payment: the PAYMENT-RESPONSE header, and `x402/payment-response` in MCP. */
export interface PaymentReceipt {
  success: true;
  transaction: string;
  network: Network;
  payer: string;
}

/** The payment is settled, now or before. `answer` is what it bought. */
export interface Paid {
  kind: "paid";
  answer: string;
  receipt: PaymentReceipt;
}

/** The payment bought nothing, and no money moved. */
export interface Refused {
  kind: "refused";
  reason: Reason;
}
