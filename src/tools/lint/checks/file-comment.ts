import type { Diagnostic } from "../../../model/diagnostic.ts";
import type { LintSources } from "../sources.ts";

/** RL209 and RL210: comments of rule files for editors and reviewers. */
export function checkComments({ rules, schemas, wanted }: LintSources): Diagnostic[] {
  return rules
    .filter(({ file }) => wanted.has(file))
    .flatMap(({ file, text }) => {
      // Some editors write a byte order mark at the start, and YAML allows it.
      const lines = text.replace(/^\ufeff/, "").split(/\r?\n/);
      return [...checkSchemaComment(file, lines[0] ?? "", schemas?.get(file)), ...checkDraftComments(file, lines)];
    });
}

/** The comment that names a schema of the npm package. Files outside a checkout may have it. */
const published =
  /^# yaml-language-server: \$schema=https:\/\/unpkg\.com\/txgloss(?:@[\w.^~-]+)?\/schemas\/[a-z]+\.schema\.json\s*$/;

/** RL209: a file of a rules folder whose first line does not name its JSON Schema for editors. */
function checkSchemaComment(file: string, first: string, schema: string | undefined): Diagnostic[] {
  const expected = `# yaml-language-server: $schema=${schema}`;
  if (schema === undefined || first.trimEnd() === expected || published.test(first)) return [];
  const range = { start: { line: 1, column: 1 }, end: { line: 1, column: first.length + 1 } };
  const message = first.startsWith("# yaml-language-server:")
    ? "the first line names another schema"
    : "the first line does not name the schema for editors";
  return [{ code: "RL209", level: "warning", file, range, message, suggest: expected }];
}

/** RL210: `# draft:` comments that `rule-lint new` wrote and that nobody has removed yet. */
function checkDraftComments(file: string, lines: readonly string[]): Diagnostic[] {
  const message = "nobody has looked at this line of the draft yet";
  return lines.flatMap((text, i): Diagnostic[] => {
    const comment = /^(?:.*\s)?(#\s*draft:.*)$/.exec(text)?.[1];
    if (comment === undefined) return [];
    const [line, end] = [i + 1, text.length + 1];
    const range = { start: { line, column: end - comment.length }, end: { line, column: end } };
    return [{ code: "RL210", level: "note", file, range, message }];
  });
}
