import { assert, ServiceError } from "../../../kernel/error.ts";
import type { Possession, PricedCall } from "../admission.ts";
import type { PurchaseRequest } from "../payment/attempt.ts";
import { type Credit, type CreditOptions, readCredit } from "../payment/credit.ts";
import type { Payment, Refused } from "../payment/payment.ts";
import type { Purchases, Verified } from "../payment/purchase.ts";
import { beginCounted, type ClientLimits } from "../quota/rate-limit.ts";

export interface BatchCall extends Pick<PricedCall, "client" | "passToken" | "payment">, Possession {
  /** Each once. */
  requests: readonly string[];
}

export interface BatchPaymentOptions extends CreditOptions {
  purchases: Purchases;
  limits: ClientLimits;
}

/** Valid, not settled yet. */
export interface Begun {
  kind: "begun";
  key: string;
  purchase: Verified;
}

/** Settled. The request counts as one until a line is charged: lines bought before are free. */
export interface Followed {
  kind: "followed";
  credit: Credit;
}

/** Settled or being settled; null: unknown. */
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

/** New; to pay for this many lines. */
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

/** For a batch that waited for this payment. */
export function notNeeded(): ServiceError {
  return new ServiceError("payments_unavailable", "The payment was not used, nothing was charged; send it again.", {
    retryAfterSeconds: 1,
  });
}

/** The same for every batch: the payment buys lines, whichever they are. */
function purchaseOf({ passToken: _pass, requests: _lines, ...call }: BatchCall, payment: Payment, lines: number) {
  const batch = { product: "batch", resource: "/explain/batch", request: "", payment, lines } as const;
  return { ...call, ...batch } satisfies PurchaseRequest;
}
