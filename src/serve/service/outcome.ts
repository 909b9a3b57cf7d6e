import type { Challenged, Quota } from "../access/admission.ts";
import type { PaymentReceipt } from "../access/payment/payment.ts";
import type { Sold } from "./answer-kind.ts";
import type { Failure } from "./failure.ts";

/** Each transport makes its own response of it. */
export type Outcome<T extends Sold = Sold> = Answered<T> | Sale;

/** Of a request that can only be paid for. */
export type Sale = Bought | Challenged | Failed;

/** Cost nothing, or one call of a pass. */
export interface Answered<T extends Sold = Sold> {
  kind: "answered";
  answer: T;
  /** undefined: not metered. */
  quota: Quota | undefined;
}

/** Bought now or earlier. */
export interface Bought {
  kind: "bought";
  body: string;
  /** SyntaxError: no JSON. */
  content(): object;
  /** false: bought earlier, perhaps under other rules. */
  fresh: boolean;
  /** Only of a new answer. */
  source?: Sold["source"] | undefined;
  receipt: PaymentReceipt;
  quota: Quota;
}

/** Nothing charged. */
export interface Failed {
  kind: "failed";
  failure: Failure;
  /** undefined: not metered, or no ledger. */
  quota: Quota | undefined;
}
