import type { Diagnostic } from "../../model/diagnostic.ts";
import type { LintSources } from "../sources.ts";

const mark = /^(\s*)(?:.*\s)?(#\s*draft:.*)$/;

/** RL210: what `rule-lint new` left for a person to look at. */
export function checkDraftComments({ rules, wanted }: LintSources): Diagnostic[] {
  return rules
    .filter(({ file }) => wanted.has(file))
    .flatMap(({ file, text }) =>
      text.split(/\r?\n/).flatMap((line, i): Diagnostic[] => {
        const comment = mark.exec(line)?.[2];
        if (comment === undefined) return [];
        const column = line.length - comment.length + 1;
        const range = { start: { line: i + 1, column }, end: { line: i + 1, column: line.length + 1 } };
        return [
          { code: "RL210", level: "note", file, range, message: "nobody has looked at this line of the draft yet" },
        ];
      }),
    );
}
