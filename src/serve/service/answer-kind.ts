import type { Answer } from "../../gather/explain/explain.ts";
import type { Asker } from "../../kernel/asker.ts";
import type { LogFields } from "../../kernel/logger.ts";
import type { ExplanationResult } from "./explanation-counts.ts";

/** An answer as it is sold: its bytes (UTF-8), their entity tag, and the source of its facts. */
export interface Sold {
  readonly body: Buffer;
  readonly etag: string;
  readonly source: Answer["source"];
}

/** A kind of answer that costs one call, such as an explanation: how it is found, made and described. It does not know who pays. */
export interface AnswerKind<Asked, T extends Sold> {
  /** The name of the event in the log. */
  readonly event: string;
  /** A name for exactly what is asked for. A payment buys only the answer to this name. */
  nameOf(asked: Asked): string;
  /** Somebody pasted what is asked for, and it may be public nowhere: a ledger keeps the answer for a day only. */
  readonly isPasted?: boolean;
  /** The fields that the log gets. */
  fieldsOf(asked: Asked): LogFields;
  /** The answer, if it is known already. */
  known(asked: Asked): T | undefined;
  /** Makes the answer. `signal` fires when the caller goes away. `asker`: whose share the work takes. Rejects with ServiceError. */
  make(asked: Asked, signal: AbortSignal | undefined, asker?: Asker): Promise<T>;
  /** The answer as an object. */
  contentOf(answer: T): object;
  /** How the answer is counted. */
  resultOf(answer: T): ExplanationResult;
  /** How the body of an answer that was bought earlier is counted. */
  resultIn(body: string): ExplanationResult;
}
