import type { Diagnostic } from "../model/diagnostic.ts";
import { findCode } from "./codes/codes.ts";

/** One `# rule-lint-disable-next-line RL502, RL504 -- reason`. */
interface Suppression {
  line: number;
  column: number;
  length: number;
  codes: string[];
  reason: string;
}

const comment = /^(\s*)(#\s*rule-lint-disable-next-line\b(.*?)(?:\s--\s*(.*))?)$/;

/**
 * Takes out what the comments of one file suppress, and reports (RL801) comments that give no reason, suppress nothing, or name a
 * mistake that the loader refuses anyway.
 */
export function applySuppressions(file: string, text: string, diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const suppressions = readSuppressions(text);
  if (suppressions.length === 0) return [...diagnostics];
  const kept = new Set(diagnostics);
  const complaints: Diagnostic[] = [];
  for (const found of suppressions) {
    const complain = (message: string) => complaints.push(complaintOf(file, found, message));
    if (found.reason === "") complain("the suppression gives no reason; ` -- reason` was expected");
    if (found.codes.length === 0) complain("the suppression names no code; one such as `RL502` was expected");
    for (const code of found.codes) {
      if (findCode(code)?.blocks === true) {
        complain(`\`${code}\` cannot be suppressed: the loader refuses the file`);
        continue;
      }
      const hits = diagnostics.filter((one) => one.code === code && one.range.start.line === found.line + 1);
      if (hits.length === 0) complain(`there is no \`${code}\` in the next line to suppress`);
      for (const hit of hits) kept.delete(hit);
    }
  }
  return [...kept, ...complaints];
}

function readSuppressions(text: string): Suppression[] {
  return text.split("\n").flatMap((line, i) => {
    const found = comment.exec(line.trimEnd());
    if (found === null) return [];
    const [, indent = "", whole = "", codes = "", reason = ""] = found;
    return [
      {
        line: i + 1,
        column: indent.length + 1,
        length: whole.length,
        codes: codes.split(/[\s,]+/).filter((code) => code !== ""),
        reason: reason.trim(),
      },
    ];
  });
}

function complaintOf(file: string, { line, column, length }: Suppression, message: string): Diagnostic {
  return {
    code: "RL801",
    level: "warning",
    file,
    range: { start: { line, column }, end: { line, column: column + length } },
    message,
  };
}
