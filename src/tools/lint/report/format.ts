import { formatGithub } from "./github.ts";
import { formatJunit } from "./junit.ts";
import { helpOf, type LintReport, sentenceOf, tally } from "./lint-report.ts";
import { formatPretty } from "./pretty.ts";
import { formatSarif } from "./sarif.ts";

/** The formats of `--format`; each is a pure function of a report. */
export const formats: Readonly<Record<string, (report: LintReport) => string>> = {
  pretty: formatPretty,
  json: formatJson,
  github: formatGithub,
  sarif: formatSarif,
  junit: formatJunit,
};

/** JSON for programs, as schemas/diagnostic.schema.json describes it. */
function formatJson({ diagnostics, files }: LintReport): string {
  const shown = diagnostics.map((one) => {
    const { code, level, file, range, suggest = null, related = [] } = one;
    return { code, level, file, range, message: sentenceOf(one), suggest, help: helpOf(one) ?? null, related };
  });
  const document = { version: 1, summary: { files, ...tally(diagnostics) }, diagnostics: shown };
  return `${JSON.stringify(document, null, 2)}\n`;
}
