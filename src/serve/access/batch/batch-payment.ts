import { assert, ServiceError } from "../../../kernel/error.ts";
import type { Possession, PricedCall } from "../admission.ts";
import type { PurchaseRequest } from "../payment/attempt.ts";
import { type Credit, type CreditOptions, readCredit } from "../payment/credit.ts";
import type { Payment, Refused } from "../payment/payment.ts";
import type { Purchases, Verified } from "../payment/purchase.ts";
import { beginCounted, type ClientLimits } from "../quota/rate-limit.ts";

/** A batch of explanations: who asks for what, and how the caller wants to pay. */
export interface BatchCall extends Pick<PricedCall, "client" | "passToken" | "payment">, Possession {
  /** The requests of the batch, each once. */
  requests: readonly string[];
}

export interface BatchPaymentOptions extends CreditOptions {
  purchases: Purchases;
  limits: ClientLimits;
}

/** A payment that is valid and not settled yet. */
export interface Begun {
  kind: "begun";
  key: string;
  purchase: Verified;
}

/**
 * A settled payment. Its request counts as one until a line is charged, because lines that were bought before cost nothing.
 */
export interface Followed {
  kind: "followed";
  credit: Credit;
}

/** Follows a payment for a batch that is settled or being settled. null: there is no such payment. */
export async function followCredit(options: BatchPaymentOptions, call: BatchCall): Promise<Refused | Followed | null> {
  if (call.payment === undefined) return null;
  const request = purchaseOf(call, call.payment, 1);
  const { purchases, limits } = options;
  const key = purchases.keyOf(request);
  if (key === null || !(await purchases.knows(request))) return null;
  const purchase = await beginCounted(limits, call.client, () => purchases.begin(request));
  if (purchase.kind === "refused") return purchase;
  if (purchase.kind === "paid") return { kind: "followed", credit: await readCredit(options, key, purchase.receipt) };
  limits.payments.refund(call.client);
  // It was dropped unsent meanwhile, so it counts as new. It is checked again when it is needed.
  purchase.release(notNeeded());
  return null;
}

/** Checks a new payment, which has to pay for this many lines. */
export async function beginPaying(
  options: BatchPaymentOptions,
  call: BatchCall,
  lines: number,
): Promise<Refused | Followed | Begun> {
  if (call.payment === undefined) return { kind: "refused", reason: "free_allowance_used" };
  const { purchases, limits } = options;
  const request = purchaseOf(call, call.payment, lines);
  const purchase = await beginCounted(limits, call.client, () => purchases.begin(request));
  if (purchase.kind === "refused") return purchase;
  const key = purchases.keyOf(request);
  assert(key !== null, "a payment that is taken has a name");
  if (purchase.kind === "verified") return { kind: "begun", key, purchase };
  // Another batch of this process settled it meanwhile.
  return { kind: "followed", credit: await readCredit(options, key, purchase.receipt) };
}

/** The error for another batch that waited for the result of this payment. */
export function notNeeded(): ServiceError {
  return new ServiceError("payments_unavailable", "The payment was not used, nothing was charged; send it again.", {
    retryAfterSeconds: 1,
  });
}

/** The purchase of a batch. It is the same for every batch, because the payment buys lines, whichever they are. */
function purchaseOf({ passToken: _pass, requests: _lines, ...call }: BatchCall, payment: Payment, lines: number) {
  const batch = { product: "batch", resource: "/explain/batch", request: "", payment, lines } as const;
  return { ...call, ...batch } satisfies PurchaseRequest;
}
