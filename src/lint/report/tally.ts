import type { Diagnostic } from "../../model/diagnostic.ts";

/** How many of each level. */
export function tally(diagnostics: readonly Diagnostic[]): { errors: number; warnings: number; notes: number } {
  const count = (level: Diagnostic["level"]) => diagnostics.filter((one) => one.level === level).length;
  return { errors: count("error"), warnings: count("warning"), notes: count("note") };
}

/** `3 errors, 1 warning in 41 files`. */
export function tallyLine(diagnostics: readonly Diagnostic[], files: number): string {
  const { errors, warnings, notes } = tally(diagnostics);
  const parts = [
    counted(errors, "error"),
    counted(warnings, "warning"),
    ...(notes > 0 ? [counted(notes, "note")] : []),
  ];
  return `${parts.join(", ")} in ${counted(files, "file")}`;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

/** The sentence of a diagnostic with its suggestion, the same in every format. */
export function sentenceOf({ message, suggest }: Diagnostic): string {
  const whole = /[.?!]$/.test(message) ? message : `${message}.`;
  const opening = whole.charAt(0).toUpperCase() + whole.slice(1);
  return suggest === undefined ? opening : `${opening} Did you mean \`${suggest}\`?`;
}
