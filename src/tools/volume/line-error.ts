import { CaseInputError, type CaseInputErrorCode } from "../../gather/receipt/case-from-receipt.ts";
import { CaseFileError } from "../../gather/recordings/case-format.ts";
import { type ErrorCode, ServiceError } from "../../kernel/error.ts";
import type { Hash } from "../../kernel/hex.ts";

/**
 * Codes that only the filter has. `invalid_line`: JSON that is no hash, no case file, and no transaction with its receipt. `invalid_case`:
 * it does not match schemas/case.schema.json. `line_too_long`: it was not read. `not_recorded`: a hash without a recording, where the
 * network is not asked.
 */
type LineOnlyCode = "invalid_line" | "invalid_case" | "line_too_long" | "not_recorded";

export type LineErrorCode = ErrorCode | CaseInputErrorCode | LineOnlyCode;

/** What is wrong with one line. */
export class LineError extends Error {
  readonly code: LineErrorCode;

  constructor(code: LineErrorCode, message: string) {
    super(message);
    this.name = "LineError";
    this.code = code;
  }
}

/** The error object in the output, in place of a line's answer. */
export interface FailedLine {
  error: LineErrorCode;
  message: string;
  /** Whether the same line may succeed later. */
  retryable: boolean;
  /** The number of the line in the input, from 1. */
  line: number;
  /** null: the line contains no hash. */
  tx_hash: Hash | null;
}

/** Describes what went wrong with a line, as the error object for the output. */
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
