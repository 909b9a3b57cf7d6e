import type { Challenged, Quota } from "../access/admission.ts";
import type { PaymentReceipt } from "../access/payment/payment.ts";
import type { Sold } from "./answer-kind.ts";
import type { Failure } from "./failure.ts";

/** The outcome of a request. A transport turns it into its own kind of response. */
export type Outcome<T extends Sold = Sold> = Answered<T> | Sale;

/** The outcome of a request that can only be paid for. */
export type Sale = Bought | Challenged | Failed;

/** An answer that cost nothing, or one call of a pass. */
export interface Answered<T extends Sold = Sold> {
  kind: "answered";
  answer: T;
  /** undefined: nothing is metered. */
  quota: Quota | undefined;
}

/** The result that a payment bought, now or earlier. */
export interface Bought {
  kind: "bought";
  body: string;
  /** The body as an object. Throws SyntaxError where it is not JSON. */
  content(): object;
  /** false: it was bought earlier, perhaps when other rules were in use. */
  fresh: boolean;
  /** Where the facts come from. Only of an answer that was made now. */
  source?: Sold["source"] | undefined;
  receipt: PaymentReceipt;
  quota: Quota;
}

/** A failure. Nothing was charged. */
export interface Failed {
  kind: "failed";
  failure: Failure;
  /** undefined: nothing is metered, or the ledger does not answer. */
  quota: Quota | undefined;
}
