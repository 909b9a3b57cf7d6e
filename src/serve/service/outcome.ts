import type { Challenged, Quota } from "../access/admission.ts";
import type { PaymentReceipt } from "../access/payment/payment.ts";
import type { Sold } from "./answer-kind.ts";
import type { Failure } from "./failure.ts";

/** For each transport. */
export type Outcome<T extends Sold = Sold> = Answered<T> | Sale;

/** Only for payment. */
export type Sale = Bought | Challenged | Failed;

/** Free, or by a pass. */
export interface Answered<T extends Sold = Sold> {
  kind: "answered";
  answer: T;
  /** undefined: not metered. */
  quota: Quota | undefined;
}

/** Now or earlier. */
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
