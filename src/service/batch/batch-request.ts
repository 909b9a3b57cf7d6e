import type { Challenged, Quota } from "../../access/admission.ts";
import type { Credit } from "../../access/payment/credit.ts";
import type { Hash } from "../../kernel/hex.ts";
import type { Sold } from "../answer-kind.ts";
import type { Caller, readBatchTender } from "../caller.ts";
import type { Failed } from "../outcome.ts";

/** One place of a batch: a hash, or what was sent where a hash should be. */
export type AskedLine = { hash: Hash } | { hash: null; text: string };

export interface BatchRequest {
  readonly transport: "http";
  readonly product: "batch";
  readonly resource: "/explain/batch";
  readonly caller: Caller;
  /**
   * Reads what is asked for; called after the rate limit. The tender is read only where calls are metered. null: the caller asks
   * for the price. Throws ServiceError.
   */
  read(metered: boolean): { asked: readonly AskedLine[]; tender?: ReturnType<typeof readBatchTender> } | null;
  /** Whether the service is told to stop. Then no work is begun. */
  isStopping(): boolean;
}

/** What came of it before the first line. */
export type BatchOutcome = BatchStream | Challenged | Failed;

/** The lines in the order of the request. Whoever reads them goes on to the end, or calls `return`. */
export interface BatchStream {
  kind: "stream";
  lines: AsyncGenerator<BatchLine, void, undefined>;
  /** undefined: nothing is metered. */
  quota: Quota | undefined;
  /** The payment, where one is settled, as it was before the first line; null: none was needed. */
  credit: Credit | null;
  /** How many more lines the payment pays for now; null: there is none. */
  creditLeft(): number | null;
}

/** One line without its end: an answer, or an error object. */
export interface BatchLine {
  body: Buffer | string;
  /** Of an answer that was made now. */
  source?: Sold["source"] | undefined;
}
