import { counted } from "../../../kernel/amount.ts";
import type { Diagnostic } from "../../../model/diagnostic.ts";
import { findCode } from "../codes/codes.ts";

/** What the first example of a rule is told as. */
export interface ToldExample {
  /** Its id in the file. */
  rule: string;
  sentence: string;
}

export interface LintReport {
  diagnostics: readonly Diagnostic[];
  /** Checked. */
  files: number;
  /** For the excerpt. */
  lines(file: string): readonly string[] | undefined;
  colour: boolean;
  /** What examples are told as, for the report of a single file. */
  examples?(): readonly ToldExample[];
}

export function tally(diagnostics: readonly Diagnostic[]): { errors: number; warnings: number; notes: number } {
  const count = (level: Diagnostic["level"]) => diagnostics.filter((one) => one.level === level).length;
  return { errors: count("error"), warnings: count("warning"), notes: count("note") };
}

/** `3 errors, 1 warning in 41 files`. */
export function tallyLine({ diagnostics, files }: LintReport): string {
  const { errors, warnings, notes } = tally(diagnostics);
  const parts = [counted(errors, "error"), counted(warnings, "warning")];
  if (notes > 0) parts.push(counted(notes, "note"));
  return `${parts.join(", ")} in ${counted(files, "file")}`;
}

/** Includes the suggestion; the same in every format. */
export function sentenceOf({ message, suggest }: Diagnostic): string {
  const whole = /[.?!]$/.test(message) ? message : `${message}.`;
  const opening = whole.charAt(0).toUpperCase() + whole.slice(1);
  return suggest === undefined ? opening : `${opening} Did you mean \`${suggest}\`?`;
}

/** Its own help, else that of its code. */
export function helpOf({ help, code }: Diagnostic): string | undefined {
  return help ?? findCode(code)?.help;
}
