import { createHash } from "node:crypto";
import type { PaymentPayload, PaymentRequirements } from "@x402/core/types";
import type { PricedCall } from "../admission.ts";
import type { PaymentRow } from "../ledger/rows.ts";
import type { Offers, SoldAs } from "./offers.ts";
import { type Authorization, type Payment, paymentKey, type Reason } from "./payment.ts";

/** A call whose payment is looked at. Its claim (claim.ts) is of use for a pass or a batch alone. */
export interface PurchaseRequest extends Omit<PricedCall, "passToken"> {
  payment: Payment;
  /** Of a batch: how many lines a new payment has to pay for. */
  lines?: number;
}

/** One attempt to pay: what its steps need. */
export interface PaymentAttempt {
  request: PurchaseRequest;
  requirements: PaymentRequirements;
  soldAs: SoldAs;
  authorization: Authorization;
  key: string;
  fingerprint: string;
}

/** What names the payment. null: it is of a kind that we do not take. */
export function prepare(offers: Offers, request: PurchaseRequest): PaymentAttempt | null {
  const { product, payment } = request;
  const { authorization } = payment;
  if (authorization === null) return null;
  const requirements = offers.requirements(product, authorization.value);
  return {
    request,
    requirements,
    soldAs: offers.soldAs(product, request.resource),
    authorization,
    key: paymentKey(requirements.network, requirements.asset, authorization),
    fingerprint: createHash("sha256").update(`${product}\n${request.request}`).digest("hex"),
  };
}

/** Whether the row is about this very authorization. The payer may have signed several with one nonce; the chain takes one of them. */
export function isAbout(
  { payTo, amount, validBefore }: Pick<PaymentRow, "payTo" | "amount" | "validBefore">,
  { authorization }: PaymentAttempt,
): boolean {
  return (
    payTo === authorization.to && amount === authorization.value && BigInt(validBefore) === authorization.validBefore
  );
}

/** Checks what needs no network. The facilitator checks all of it again. */
export function precheck(
  { offers, now }: { offers: Offers; now: () => number },
  attempt: PaymentAttempt,
): Reason | null {
  const { request, authorization, requirements } = attempt;
  const mismatch = offers.match(request.product, request.payment, requirements);
  if (mismatch !== null) return mismatch;
  const { to, value, validBefore } = authorization;
  if (request.product === "batch" && (offers.linesOf(value) ?? 0) < (request.lines ?? 1)) return "payment_mismatch";
  if (to !== requirements.payTo.toLowerCase()) return "invalid_exact_evm_recipient_mismatch";
  if (value !== BigInt(requirements.amount)) return "invalid_exact_evm_payload_authorization_value_mismatch";
  return validBefore > BigInt(Math.floor(now() / 1000) + longestSeconds) ? "payment_valid_too_long" : null;
}

/** A payment that is valid for longer is not taken. */
export const longestSeconds = 86_400;

/**
 * Built anew from the fields that were checked, with what is sold as we name it: a facilitator that keeps a catalog reads that. An unknown field, such as a Permit2 beside the authorization, could make the
 * facilitator settle something else than the ledger holds.
 */
export function payloadOf({ request, requirements: accepted, soldAs }: PaymentAttempt): PaymentPayload {
  const { payload } = request.payment;
  const { signature, authorization } = payload.payload as { signature: string; authorization: Record<string, string> };
  const { from, to, value, validAfter, validBefore, nonce } = authorization;
  return {
    x402Version: 2,
    ...soldAs,
    accepted,
    payload: { signature, authorization: { from, to, value, validAfter, validBefore, nonce } },
  };
}
