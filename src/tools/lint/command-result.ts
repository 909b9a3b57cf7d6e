import { helpHint, UsageError } from "../terminal/command-table.ts";
import { diskProblem, fileProblem } from "../terminal/file-problem.ts";
import { ruleLint } from "./program.ts";
import { SourceError } from "./sources.ts";

/** Exit status: 0 clean, 1 findings, 2 could not run. */
export interface CommandResult {
  status: 0 | 1 | 2;
  out: string;
  err: string;
}

/** Status 2. UsageError, SourceError and `kinds` are the user's: only their message is printed; others with the stack. */
export function failedRun(
  error: unknown,
  args: readonly string[],
  ...kinds: readonly (new (
    ...given: never
  ) => Error)[]
): CommandResult {
  const { message, stack = message } = error instanceof Error ? error : { message: String(error) };
  const known = [UsageError, SourceError, ...kinds].some((kind) => error instanceof kind);
  const text = known ? message : (fileProblem(error) ?? diskProblem(error) ?? stack);
  const hint = error instanceof UsageError ? `${helpHint(ruleLint, args)}\n` : "";
  return { status: 2, out: "", err: `rule-lint: ${text}\n${hint}` };
}

/** Throws UsageError where `use` fails, for example because `path` cannot be read or written. */
export function usingFile<T>(path: string, use: () => T): T {
  try {
    return use();
  } catch (error) {
    throw new UsageError(
      fileProblem(error, path) ?? diskProblem(error, path) ?? `${path}: ${(error as Error).message}`,
    );
  }
}
