import { EngineError } from "../../engine/engine.ts";
import { CaseFileError } from "../../gather/recordings/case-format.ts";
import { type ErrorCode, ServiceError } from "../../kernel/error.ts";
import { ConfigError } from "../../serve/settings/config.ts";
import { UsageError } from "../terminal/command-table.ts";
import { diskProblem, fileProblem } from "../terminal/file-problem.ts";

export interface ToldFailure {
  /** For stderr, with the next step. */
  text: string;
  /** 2: wrong input. 1: everything else. */
  status: 1 | 2;
}

export interface FailureForm {
  /** The subject of the command. */
  about?: string;
  /** Print schemas/error.schema.json, for programs. */
  json: boolean;
  /** Where to read about the usage. */
  usage: string;
}

/** Adds the next step where one is known. */
export function failureText(error: unknown, { about, json, usage }: FailureForm): ToldFailure {
  const given = describeGiven(error, usage);
  if (given !== undefined) return { text: `txgloss: ${given}\n`, status: 2 };
  const unwritable = diskProblem(error);
  if (unwritable !== undefined) return { text: `txgloss: ${unwritable}\n`, status: 1 };
  const failure =
    error instanceof ServiceError ? error : new ServiceError("internal", "Our mistake; the lines below say where.");
  const { code, retryable } = failure;
  const message = about === undefined ? failure.message : `${about}: ${failure.message}`;
  const trace = code === "internal" ? `${(error as Error)?.stack ?? String(error)}\n` : "";
  const next = givenWrong.has(code) ? usage : nextSteps[code];
  const told = json
    ? JSON.stringify({ error: code, message, retryable })
    : `txgloss: ${message}${next === undefined ? "" : `\n${next}`}`;
  return { text: `${told}\n${trace}`, status: givenWrong.has(code) ? 2 : 1 };
}

/** Refused before any endpoint is asked. */
const givenWrong: ReadonlySet<ErrorCode> = new Set(["invalid_preview", "invalid_typed_data", "other_chain"]);

const nextSteps: Partial<Record<ErrorCode, string>> = {
  transaction_not_found: "Check the hash. A transaction that was sent a moment ago is known in a few seconds.",
  transaction_pending: "Try again in a moment, when it is in a block.",
  upstream_unavailable: "Try again, or name endpoints of your own: --rpc URL, or the setting RPC_URLS.",
  internal: "Please report it with these lines: the same command should not fail so for anybody.",
};

/** undefined: another cause. */
function describeGiven(error: unknown, usage: string): string | undefined {
  if (error instanceof UsageError) return `${error.message}\n${usage}`;
  if (error instanceof CaseFileError) return `${error.message}\n\`txgloss record HASH\` writes a case file.`;
  if (error instanceof ConfigError || error instanceof EngineError) return error.message;
  return fileProblem(error);
}
