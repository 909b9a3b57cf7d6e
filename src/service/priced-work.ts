import type { Admitted, Challenged, Delivery, Metering, PricedCall, Quota } from "../access/metering.ts";
import type { PaymentReceipt } from "../access/payment/payment.ts";
import { assert } from "../kernel/error.ts";
import { andThen, type MaybePromise } from "../kernel/maybe-promise.ts";

/** What a priced call does once it is admitted. */
export interface Work<T> {
  /** The result, if it is known already. */
  known(): T | undefined;
  /** Makes the result. `via` says how the call is paid. Rejects with ServiceError. */
  run(via: Admitted["via"]): Promise<T>;
  /** UTF-8 JSON of the result: what is sold. */
  bodyOf(result: T): Buffer;
  /** Whether the caller has this result already. Then it is charged only if the caller pays for it. */
  isHeld(result: T): boolean;
}

/** What came of it. */
export type Charged<T> =
  | Challenged
  | { kind: "done"; result: T; quota: Quota; held: boolean }
  /** `result` is null when the body was bought earlier. */
  | { kind: "bought"; result: T | null; body: Buffer | string; receipt: PaymentReceipt; quota: Quota }
  | { kind: "failed"; cause: unknown; quota: Quota };

/** Meters a call: asks for admission, works, and charges only if there is a result. */
export function chargeFor<T>(metering: Metering, call: PricedCall, work: Work<T>): MaybePromise<Charged<T>> {
  return andThen(metering.admit(call), (admission): MaybePromise<Charged<T>> => {
    if (admission.kind !== "admitted") return settled<T>(admission, null);
    const known = work.known();
    return known === undefined ? runWork(admission, work) : finish(admission, work, known);
  });
}

async function runWork<T>(admitted: Admitted, work: Work<T>): Promise<Charged<T>> {
  let result: T;
  try {
    result = await work.run(admitted.via);
  } catch (cause) {
    return { kind: "failed", cause, quota: await admitted.release(cause) };
  }
  return finish(admitted, work, result);
}

function finish<T>(admitted: Admitted, work: Work<T>, result: T): MaybePromise<Charged<T>> {
  if (admitted.via !== "payment" && work.isHeld(result))
    return andThen(admitted.release(null), (quota) => ({ kind: "done", result, quota, held: true }));
  return andThen(admitted.commit(work.bodyOf(result)), (delivery) => settled(delivery, result));
}

function settled<T>(delivery: Delivery | Challenged, result: T | null): Charged<T> {
  if (delivery.kind === "challenged") return delivery;
  const { body, receipt, quota } = delivery;
  if (receipt !== null) return { kind: "bought", result, body, receipt, quota };
  assert(result !== null, "only a payment delivers without work");
  return { kind: "done", result, quota, held: false };
}
