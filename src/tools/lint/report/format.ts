import { formatJunit } from "./junit.ts";
import { helpOf, type LintReport, sentenceOf, tally, tallyLine } from "./lint-report.ts";
import { formatPretty } from "./pretty.ts";
import { formatSarif } from "./sarif.ts";

/** The values of `--format`; each is pure. */
export const formats: Readonly<Record<string, (report: LintReport) => string>> = {
  pretty: formatPretty,
  json: formatJson,
  github: formatGithub,
  sarif: formatSarif,
  junit: formatJunit,
};

/** JSON by schemas/diagnostic.schema.json. */
function formatJson({ diagnostics, files }: LintReport): string {
  const shown = diagnostics.map((one) => {
    const { code, level, file, range, suggest = null, related = [] } = one;
    return { code, level, file, range, message: sentenceOf(one), suggest, help: helpOf(one) ?? null, related };
  });
  const document = { version: 1, summary: { files, ...tally(diagnostics) }, diagnostics: shown };
  return `${JSON.stringify(document, null, 2)}\n`;
}

const commands = { error: "error", warning: "warning", note: "notice" } as const;

/**
 * Workflow commands. Paths and messages may be of strangers' pull requests, so every character that could end a property or start a command
 * is escaped.
 */
function formatGithub(report: LintReport): string {
  const lines = report.diagnostics.map((one) => {
    const { start, end } = one.range;
    const lineRange = { line: start.line, endLine: end.line, col: start.column, endColumn: end.column };
    const place = { file: one.file, ...lineRange, title: one.code };
    const properties = Object.entries(place).map(([name, value]) => `${name}=${escapeProperty(String(value))}`);
    return `::${commands[one.level]} ${properties.join(",")}::${escapeMessage(sentenceOf(one))}`;
  });
  return `${[...lines, tallyLine(report)].join("\n")}\n`;
}

function escapeMessage(text: string): string {
  return text.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function escapeProperty(text: string): string {
  return escapeMessage(text).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
