import type { Diagnostic } from "../../model/diagnostic.ts";
import type { LintSources } from "../sources.ts";

/** RL209: a file of a rules folder whose first line does not tell editors its JSON Schema. */
export function checkSchemaComments({ rules, schemas, wanted }: LintSources): Diagnostic[] {
  return rules.flatMap(({ file, text }): Diagnostic[] => {
    const schema = schemas?.get(file);
    if (schema === undefined || !wanted.has(file)) return [];
    const expected = `# yaml-language-server: $schema=${schema}`;
    const [first = ""] = text.split(/\r?\n/, 1);
    if (first.trimEnd() === expected) return [];
    const start = { line: 1, column: 1 };
    return [
      {
        code: "RL209",
        level: "warning",
        file,
        range: { start, end: { line: 1, column: first.length + 1 } },
        message: first.startsWith("# yaml-language-server:")
          ? "the first line names another schema"
          : "the first line does not name the schema for editors",
        suggest: expected,
      },
    ];
  });
}
