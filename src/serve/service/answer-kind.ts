import type { Answer } from "../../gather/explain/explain.ts";
import type { Asker } from "../../kernel/asker.ts";
import type { LogFields } from "../../kernel/logger.ts";
import type { ExplanationResult } from "./explanation-counts.ts";

/** `body`: UTF-8. */
export interface Sold {
  readonly body: Buffer;
  readonly etag: string;
  readonly source: Answer["source"];
}

/** Costs one call; does not know who pays. */
export interface AnswerKind<Asked, T extends Sold> {
  /** In the log. */
  readonly event: string;
  /** Exactly this is asked, and bought by a payment. */
  nameOf(asked: Asked): string;
  /** Perhaps public nowhere: kept for a day only. */
  readonly isPasted?: boolean;
  /** For the log. */
  fieldsOf(asked: Asked): LogFields;
  known(asked: Asked): T | undefined;
  /** `signal`: the caller is gone. `asker`: whose share. Rejects with ServiceError. */
  make(asked: Asked, signal: AbortSignal | undefined, asker?: Asker): Promise<T>;
  contentOf(answer: T): object;
  /** For the counts. */
  resultOf(answer: T): ExplanationResult;
  /** Of a body bought earlier. */
  resultIn(body: string): ExplanationResult;
}
