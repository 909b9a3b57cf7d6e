import { findCode } from "../codes/codes.ts";
import type { LintReport } from "./lint-report.ts";
import { sentenceOf, tally } from "./tally.ts";

/** For programs: described by schemas/diagnostic.schema.json. */
export function formatJson({ diagnostics, files }: LintReport): string {
  const document = {
    version: 1,
    summary: { files, ...tally(diagnostics) },
    diagnostics: diagnostics.map((one) => ({
      code: one.code,
      level: one.level,
      file: one.file,
      range: one.range,
      message: sentenceOf(one),
      suggest: one.suggest ?? null,
      help: one.help ?? findCode(one.code)?.help ?? null,
      related: one.related ?? [],
    })),
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}
