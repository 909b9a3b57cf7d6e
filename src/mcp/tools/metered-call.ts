import type { Admitted, Challenged, Delivery } from "../../access/admission.ts";
import type { Access } from "../../access/open.ts";
import type { Answer, Explainer } from "../../explain/explain.ts";
import type { Hash } from "../../kernel/hex.ts";
import { andThen, type MaybePromise } from "../../kernel/maybe-promise.ts";
import { passOf, paymentOf } from "../offer.ts";
import { askForPayment, type Outcome } from "../outcome.ts";
import type { ToolCall } from "../tool.ts";
import type { Telling } from "./telling.ts";

export interface MeteredCallOptions {
  access: Access;
  explainer: Explainer;
  telling: Telling;
  /** Gathers and decides. */
  explain: (hash: Hash, via: Admitted["via"]) => Promise<Answer>;
}

/**
 * A call where it is charged for: the metering decides, the answer is got and committed, and only what comes back is told. Throws or
 * rejects with ServiceError; what fails is not charged.
 */
export function createMeteredCall(options: MeteredCallOptions) {
  const { access, explainer, telling, explain } = options;

  function work(hash: Hash, grant: Admitted): MaybePromise<Outcome> {
    const known = explainer.cached(hash);
    if (known !== undefined) return commit(known, grant);
    return explain(hash, grant.via).then(
      (answer) => commit(answer, grant),
      async (cause) => {
        await grant.release(cause);
        throw cause;
      },
    );
  }

  function commit(answer: Answer, grant: Admitted): MaybePromise<Outcome> {
    return andThen(grant.commit(answer.body), (delivery) => deliver(delivery, answer));
  }

  /** `answer` is null when the body comes from the ledger. */
  function deliver(delivery: Delivery | Challenged, answer: Answer | null): Outcome {
    if (delivery.kind === "challenged") return askForPayment(delivery);
    const { receipt, quota, body } = delivery;
    const outcome = answer !== null && receipt === null ? telling.answer(answer) : telling.body(body.toString());
    if (receipt !== null) return { ...outcome, quota, receipt, meta: { "x402/payment-response": receipt } };
    return quota.pass === undefined ? { ...outcome, quota } : { ...outcome, quota, meta: { "svc/pass": quota.pass } };
  }

  return (call: ToolCall, readHash: (call: ToolCall) => Hash): MaybePromise<Outcome> => {
    const { metering, readClient } = access;
    const client = readClient(call.caller.remote, call.caller.headers["x-forwarded-for"]);
    metering.checkRate(client);
    const request = readHash(call);
    const [passToken, payment] = [passOf(call), paymentOf(call)];
    const visit = { client, product: "explain", resource: "/mcp", request, passToken, payment } as const;
    return andThen(metering.admit(visit), (admission) =>
      admission.kind === "admitted" ? work(request, admission) : deliver(admission, null),
    );
  };
}
