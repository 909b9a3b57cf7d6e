import { CallerGone } from "../../gather/explain/shared-runs.ts";
import { assert, ServiceError } from "../../kernel/error.ts";
import type { Admitted, Challenged, Delivery, PricedCall, Quota } from "../access/admission.ts";
import type { Metering } from "../access/metering.ts";
import type { PaymentReceipt } from "../access/payment/payment.ts";
import type { Client } from "../access/quota/client-address.ts";
import type { CountedWork } from "../access/quota/rate-limit.ts";

/** Once admitted. */
export interface Work<T> {
  known(): T | undefined;
  /** Rejects with ServiceError. */
  run(admitted: Pick<Admitted, "via" | "worker">, counted: CountedWork): Promise<T>;
  /** Sold: UTF-8 JSON. */
  bodyOf(result: T): Buffer;
  /** The caller has it: free, unless made now or paid for by a payment. */
  isHeld(result: T): boolean;
}

export type Charged<T> =
  | Challenged
  /** `held`: not charged. */
  | { kind: "done"; result: T; quota: Quota; held: boolean }
  /** null: bought earlier. */
  | { kind: "bought"; result: T | null; body: Buffer | string; receipt: PaymentReceipt; quota: Quota }
  | { kind: "failed"; cause: unknown; quota: Quota; worker: Client };

/** Charged only with a result. A known one is charged at once: nothing to hold a call for. */
export async function chargeFor<T>(metering: Metering, call: PricedCall, work: Work<T>): Promise<Charged<T>> {
  const offersNothing = call.passToken === undefined && call.payment === undefined;
  const known = offersNothing ? work.known() : undefined;
  if (known === undefined || work.isHeld(known)) return chargeAdmitted(metering, call, work);
  // Writes the body first: a body that cannot be written must not be charged.
  work.bodyOf(known);
  const quota = await metering.chargeFree(call.client);
  return quota === null ? chargeAdmitted(metering, call, work) : { kind: "done", result: known, quota, held: false };
}

async function chargeAdmitted<T>(metering: Metering, call: PricedCall, work: Work<T>): Promise<Charged<T>> {
  const admission = await metering.admit(call);
  if (admission.kind !== "admitted") return settled<T>(admission, null);
  const known = work.known();
  if (known === undefined) return runWork(metering, admission, work);
  if (admission.via === "payment" || !work.isHeld(known)) return deliver(admission, work, known);
  metering.noteHeld(admission.worker);
  return { kind: "done", result: known, quota: await admission.release(null), held: true };
}

async function runWork<T>(metering: Metering, admitted: Admitted, work: Work<T>): Promise<Charged<T>> {
  let result: T;
  let counted: CountedWork | undefined;
  try {
    counted = metering.beginWork(admitted.worker);
    result = await work.run(admitted, counted);
    counted.end(true);
  } catch (cause) {
    // The failure itself is counted where it is told.
    counted?.end(false);
    // Released without a cause where the caller disconnected: an equal request that waits for this payment must not fail because of that.
    const hasGone = cause instanceof ServiceError && cause.cause instanceof CallerGone;
    const quota = await admitted.release(hasGone ? null : cause);
    return { kind: "failed", cause, quota, worker: admitted.worker };
  }
  return deliver(admitted, work, result);
}

/** On failure the held call is released, else it stays held. */
async function deliver<T>(admitted: Admitted, work: Work<T>, result: T): Promise<Charged<T>> {
  let body: Buffer;
  try {
    body = work.bodyOf(result);
  } catch (cause) {
    return { kind: "failed", cause, quota: await admitted.release(cause), worker: admitted.worker };
  }
  return settled(await admitted.commit(body), result);
}

function settled<T>(delivery: Delivery | Challenged, result: T | null): Charged<T> {
  if (delivery.kind === "challenged") return delivery;
  const { body, receipt, quota } = delivery;
  if (receipt !== null) return { kind: "bought", result, body, receipt, quota };
  assert(result !== null, "only a payment delivers without work");
  return { kind: "done", result, quota, held: false };
}
