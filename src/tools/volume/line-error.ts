import { CaseInputError, type CaseInputErrorCode } from "../../gather/receipt/case-from-receipt.ts";
import { CaseFileError } from "../../gather/recordings/case-format.ts";
import { type ErrorCode, ServiceError } from "../../kernel/error.ts";
import type { Hash } from "../../kernel/hex.ts";

/**
 * Codes of the filter alone. `invalid_line`: no hash, case file, or transaction with receipt. `invalid_case`: not by
 * schemas/case.schema.json. `line_too_long`: not read. `not_recorded`: the network is not asked.
 */
type LineOnlyCode = "invalid_line" | "invalid_case" | "line_too_long" | "not_recorded";

export type LineErrorCode = ErrorCode | CaseInputErrorCode | LineOnlyCode;

export class LineError extends Error {
  readonly code: LineErrorCode;

  constructor(code: LineErrorCode, message: string) {
    super(message);
    this.name = "LineError";
    this.code = code;
  }
}

/** Replaces an answer. */
export interface FailedLine {
  error: LineErrorCode;
  message: string;
  /** The same line may succeed later. */
  retryable: boolean;
  /** From 1. */
  line: number;
  /** null: no hash in the line. */
  tx_hash: Hash | null;
}

export function describeLineError(error: unknown, line: number, hash: Hash | null): FailedLine {
  const place = { line, tx_hash: hash };
  if (error instanceof ServiceError)
    return { error: error.code, message: error.message, retryable: error.retryable, ...place };
  if (error instanceof LineError || error instanceof CaseInputError)
    return { error: error.code, message: error.message, retryable: false, ...place };
  if (error instanceof CaseFileError)
    return {
      error: error.code === "wrong_transaction" ? error.code : "invalid_case",
      message: error.message,
      retryable: false,
      ...place,
    };
  const said = error instanceof Error ? error.message : String(error);
  return { error: "internal", message: `Our mistake: ${said}`, retryable: false, ...place };
}
