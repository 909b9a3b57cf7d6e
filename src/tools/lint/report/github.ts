import { type LintReport, sentenceOf, tallyLine } from "./lint-report.ts";

const commands = { error: "error", warning: "warning", note: "notice" } as const;

/**
 * Findings as workflow commands, which GitHub shows beside the lines. Paths and messages may come from pull requests of strangers, so every
 * character that could end a property or start another command is escaped.
 */
export function formatGithub(report: LintReport): string {
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
