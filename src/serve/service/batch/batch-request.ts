import type { Hash } from "../../../kernel/hex.ts";
import type { Challenged, Quota } from "../../access/admission.ts";
import type { Credit } from "../../access/payment/credit.ts";
import type { Sold } from "../answer-kind.ts";
import type { Caller, readBatchTender } from "../caller.ts";
import type { Failed } from "../outcome.ts";
import type { PriceQuestion } from "../service-request.ts";

/** Hash, or the text in its place. */
export type AskedLine = { hash: Hash } | { hash: null; text: string };

export interface BatchRequest {
  readonly transport: "http";
  readonly product: "batch";
  readonly resource: "/explain/batch";
  readonly caller: Caller;
  /** The tender only where metered. Throws ServiceError. */
  read(metered: boolean): { asked: readonly AskedLine[]; tender?: ReturnType<typeof readBatchTender> } | PriceQuestion;
  /** Begins no new work. */
  isStopping(): boolean;
}

/** Before the first line. */
export type BatchOutcome = BatchStream | Challenged | Failed;

/** In order; read to the end or call `return`. */
export interface BatchStream {
  kind: "stream";
  lines: AsyncGenerator<BatchLine, void, undefined>;
  /** undefined: not metered. */
  quota: Quota | undefined;
  /** Before the first line; null: no payment needed. */
  credit: Credit | null;
  /** Lines; null: no payment. */
  creditLeft(): number | null;
}

/** Answer or error, no line break. */
export interface BatchLine {
  body: Buffer | string;
  /** Only of a new answer. */
  source?: Sold["source"] | undefined;
}
