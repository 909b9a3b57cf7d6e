import type { Diagnostic } from "../../model/diagnostic.ts";
import { findCode } from "./codes/codes.ts";

/** A comment such as `# rule-lint-disable-next-line RL502, RL504 -- reason`. */
const comment = /^(\s*)(#\s*rule-lint-disable-next-line\b(.*?)(?:\s--\s*(.*))?)$/;

/**
 * Removes the findings that comments of one file suppress. Reports (RL801) comments without a reason, comments that suppress nothing, and
 * comments for a code with which the loader refuses the file.
 */
export function applySuppressions(file: string, text: string, diagnostics: readonly Diagnostic[]): Diagnostic[] {
  const kept = new Set(diagnostics);
  const complaints: Diagnostic[] = [];
  for (const { range, codes, reason } of readSuppressions(text)) {
    const complain = (message: string) => complaints.push({ code: "RL801", level: "warning", file, range, message });
    if (reason === "") complain("the suppression gives no reason; ` -- reason` was expected");
    if (codes.length === 0) complain("the suppression names no code; one such as `RL502` was expected");
    for (const code of codes) {
      if (findCode(code)?.blocks === true) {
        complain(`\`${code}\` cannot be suppressed: the loader refuses the file`);
        continue;
      }
      const hits = diagnostics.filter((one) => one.code === code && one.range.start.line === range.start.line + 1);
      if (hits.length === 0) complain(`there is no \`${code}\` in the next line to suppress`);
      for (const hit of hits) kept.delete(hit);
    }
  }
  return [...kept, ...complaints];
}

function readSuppressions(text: string) {
  return text.split("\n").flatMap((content, i) => {
    const [, indent = "", whole, codes = "", reason = ""] = comment.exec(content.trimEnd()) ?? [];
    if (whole === undefined) return [];
    const [line, column] = [i + 1, indent.length + 1];
    const range = { start: { line, column }, end: { line, column: column + whole.length } };
    return [{ range, codes: codes.split(/[\s,]+/).filter((code) => code !== ""), reason: reason.trim() }];
  });
}
