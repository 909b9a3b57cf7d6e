import { type Payment, readPayment, readPaymentHeader } from "../access/payment/payment.ts";
import type { ToolCall } from "./tool.ts";

/** The payment that a call offers: in its `_meta`, else in the PAYMENT-SIGNATURE header. Throws ServiceError `invalid_payment`. */
export function paymentOf({ meta, caller }: ToolCall): Payment | undefined {
  const given = meta["x402/payment"];
  if (given !== undefined) return readPayment(given);
  const header = caller.headers["payment-signature"];
  return header === undefined ? undefined : readPaymentHeader(String(header));
}

/** The pass that a call shows: in its `_meta`, else in the X-SVC-Pass header, which a client can be set up to send always. */
export function passOf({ meta, caller }: ToolCall): string | undefined {
  const given = meta["svc/pass"] ?? caller.headers["x-svc-pass"];
  return given === undefined ? undefined : String(given).trim();
}
