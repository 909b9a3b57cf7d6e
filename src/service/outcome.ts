import type { Challenged, Quota } from "../access/admission.ts";
import type { PaymentReceipt } from "../access/payment/payment.ts";
import type { Answer } from "../explain/explain.ts";
import type { Failure } from "./failure.ts";

/** What came of a request. A transport turns it into its own kind of response. */
export type Outcome = Answered | Sale;

/** What came of a request that can only be paid for. */
export type Sale = Bought | Challenged | Failed;

/** An explanation that cost nothing, or one call of a pass. */
export interface Answered {
  kind: "answered";
  answer: Answer;
  /** undefined: nothing is metered. */
  quota: Quota | undefined;
}

/** What a payment bought, now or earlier. */
export interface Bought {
  kind: "bought";
  /** UTF-8 JSON, and the same as an object. */
  body: string;
  content: object;
  /** false: it was bought earlier, perhaps under other rules. */
  fresh: boolean;
  /** Of an explanation that was made now. */
  source?: Answer["source"] | undefined;
  receipt: PaymentReceipt;
  quota: Quota;
}

/** Nothing was charged. */
export interface Failed {
  kind: "failed";
  failure: Failure;
  /** undefined: nothing is metered, or the ledger does not answer. */
  quota: Quota | undefined;
}
