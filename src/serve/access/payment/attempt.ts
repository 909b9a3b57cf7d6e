import { createHash } from "node:crypto";
import type { PaymentPayload, PaymentRequirements } from "@x402/core/types";
import type { PricedCall } from "../admission.ts";
import type { PaymentRow } from "../ledger/rows.ts";
import type { Offers, SoldAs } from "./offers.ts";
import { type Authorization, type Payment, paymentKey, type Reason } from "./payment.ts";

/** The claim (claim.ts) matters for pass and batch. */
export interface PurchaseRequest extends Omit<PricedCall, "passToken"> {
  payment: Payment;
  /** Of a batch; for a new payment. */
  lines?: number;
}

export interface PaymentAttempt {
  request: PurchaseRequest;
  requirements: PaymentRequirements;
  soldAs: SoldAs;
  authorization: Authorization;
  key: string;
  fingerprint: string;
}

/** null: of a kind that we do not take. */
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

/** The payer may have signed several with one nonce; the chain takes one. */
export function isAbout(
  { payTo, amount, validBefore }: Pick<PaymentRow, "payTo" | "amount" | "validBefore">,
  { authorization }: PaymentAttempt,
): boolean {
  return (
    payTo === authorization.to && amount === authorization.value && BigInt(validBefore) === authorization.validBefore
  );
}

/** Ms, where no setting says it. */
export const usualWorkMs = 8_000;

/** Without network; the facilitator checks it again. `workMs`: for the work. */
export function precheck(
  { offers, now, workMs = usualWorkMs }: { offers: Offers; now: () => number; workMs?: number | undefined },
  attempt: PaymentAttempt,
): Reason | null {
  const { request, authorization, requirements } = attempt;
  const mismatch = offers.match(request.product, request.payment, requirements);
  if (mismatch !== null) return mismatch;
  const { to, value, validBefore } = authorization;
  if (request.product === "batch" && (offers.linesOf(value) ?? 0) < (request.lines ?? 1)) return "payment_mismatch";
  if (to !== requirements.payTo.toLowerCase()) return "invalid_exact_evm_recipient_mismatch";
  if (value !== BigInt(requirements.amount)) return "invalid_exact_evm_payload_authorization_value_mismatch";
  const second = Math.floor(now() / 1000);
  // What would end before it is settled costs the work, and nobody pays for it. What has ended already is the facilitator's to refuse.
  const isShort = validBefore > BigInt(second) && validBefore < BigInt(second + shortestSeconds(workMs));
  if (isShort) return "invalid_exact_evm_payload_authorization_valid_before";
  return validBefore > BigInt(second + longestSeconds) ? "payment_valid_too_long" : null;
}

/** Seconds: work, then a block. Shorter ones are refused. */
function shortestSeconds(workMs: number): number {
  return Math.ceil(workMs / 1000) + settlingSeconds;
}

/** Seconds; two minutes for the usual work. */
export function askedSeconds(workMs: number): number {
  return Math.max(120, 2 * shortestSeconds(workMs));
}

/** A few blocks, and one more try. */
const settlingSeconds = 10;

/** Seconds; longer ones are refused. */
export const longestSeconds = 86_400;

/**
 * Only checked fields: an unknown one, such as a Permit2, could make the facilitator settle something else. Our own description: catalogs
 * show it.
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
