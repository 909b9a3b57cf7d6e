import type { Hash } from "../../../kernel/hex.ts";
import type { Challenged, Quota } from "../../access/admission.ts";
import type { Credit } from "../../access/payment/credit.ts";
import type { Sold } from "../answer-kind.ts";
import type { Caller, readBatchTender } from "../caller.ts";
import type { Failed } from "../outcome.ts";
import type { PriceQuestion } from "../service-request.ts";

/** One entry of a batch: a hash, or the text that was sent instead of a hash. */
export type AskedLine = { hash: Hash } | { hash: null; text: string };

export interface BatchRequest {
  readonly transport: "http";
  readonly product: "batch";
  readonly resource: "/explain/batch";
  readonly caller: Caller;
  /** Reads the request. The tender is read only where calls are metered. Throws ServiceError. */
  read(metered: boolean): { asked: readonly AskedLine[]; tender?: ReturnType<typeof readBatchTender> } | PriceQuestion;
  /** Whether the service is stopping. Then no new work is begun. */
  isStopping(): boolean;
}

/** The outcome of a batch, as far as it is known before the first line. */
export type BatchOutcome = BatchStream | Challenged | Failed;

/** The lines in the order of the request. The reader must read to the end, or call `return`. */
export interface BatchStream {
  kind: "stream";
  lines: AsyncGenerator<BatchLine, void, undefined>;
  /** undefined: nothing is metered. */
  quota: Quota | undefined;
  /** The credit of a settled payment, as it was before the first line; null: no payment was needed. */
  credit: Credit | null;
  /** How many more lines the payment pays for now; null: there is no payment. */
  creditLeft(): number | null;
}

/** One line without its line break: an answer or an error object. */
export interface BatchLine {
  body: Buffer | string;
  /** Where the facts come from. Only of an answer that was made now. */
  source?: Sold["source"] | undefined;
}
