import type { Answer } from "../explain/explain.ts";
import type { LogFields } from "../kernel/logger.ts";
import type { ExplanationResult } from "./explanation-counts.ts";

/** An answer as it is sold: its bytes (UTF-8), their entity tag, and where the facts come from. */
export interface Sold {
  readonly body: Buffer;
  readonly etag: string;
  readonly source: Answer["source"];
}

/** A kind of answer that costs one call, such as an explanation: how it is found, made and told. Nothing in it knows who pays. */
export interface Door<Asked, T extends Sold> {
  readonly event: string;
  /** Names exactly what is asked for. A payment buys the answer to this and to nothing else. */
  nameOf(asked: Asked): string;
  /** What the log tells of it. */
  fieldsOf(asked: Asked): LogFields;
  /** The answer, if it is known already. */
  known(asked: Asked): T | undefined;
  /** Makes the answer. `signal` fires when the caller goes away. Rejects with ServiceError. */
  make(asked: Asked, signal: AbortSignal | undefined): Promise<T>;
  /** The answer as an object. */
  contentOf(answer: T): object;
  /** How it is counted. */
  resultOf(answer: T): ExplanationResult;
  /** The same of a body that was bought earlier. */
  resultIn(body: string): ExplanationResult;
}
