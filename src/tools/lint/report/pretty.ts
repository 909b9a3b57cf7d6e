import type { Diagnostic } from "../../../model/diagnostic.ts";
import { helpOf, type LintReport, sentenceOf, tallyLine } from "./lint-report.ts";

const colours = { error: "31", warning: "33", note: "36" } as const;

/** Notes of one code; errors and warnings are all shown. */
const notesShown = 3;

/** Place, sentence, lines with carets, help; of a single file also what its examples are told as. */
export function formatPretty(report: LintReport): string {
  const notes = Map.groupBy(
    report.diagnostics.filter(({ level }) => level === "note"),
    ({ code }) => code,
  );
  const folded = new Set([...notes.values()].flatMap((ofCode) => ofCode.slice(notesShown)));
  const blocks = [
    ...report.diagnostics.filter((one) => !folded.has(one)).map((one) => `${blockOf(one, report)}\n`),
    ...[...notes].flatMap(([code, { length }]) => (length > notesShown ? [`${moreLine(code, length)}\n`] : [])),
  ];
  return `${[...blocks, ...exampleLines(report), tallyLine(report)].join("\n")}\n`;
}

function exampleLines({ files, examples }: LintReport): string[] {
  const told = files === 1 ? (examples?.() ?? []) : [];
  if (told.length === 0) return [];
  const width = Math.max(...told.map(({ rule }) => rule.length));
  return [
    "The examples are told as",
    ...told.map(({ rule, sentence }) => `  ${rule.padEnd(width)}  ${printable(sentence)}`),
    "",
  ];
}

function moreLine(code: string, count: number): string {
  return `note  ${code}  ${count - notesShown} more; \`--format json\` lists them, \`--explain ${code}\` tells what they are`;
}

function blockOf(one: Diagnostic, report: LintReport): string {
  const paint = (text: string) => (report.colour ? `\u001b[${colours[one.level]}m${text}\u001b[0m` : text);
  const placeOf = ({ file, range: { start } }: Pick<Diagnostic, "file" | "range">) =>
    `${printable(file)}:${start.line}:${start.column}`;
  const help = helpOf(one);
  return [
    `${placeOf(one)}  ${paint(one.level)}  ${one.code}  ${printable(sentenceOf(one))}`,
    ...frameOf(one, report.lines(one.file) ?? [], paint),
    ...(one.related ?? []).map((other) => `   see: ${placeOf(other)}  ${printable(other.message)}`),
    ...(help === undefined ? [] : [`   help: ${printable(help)}`]),
  ].join("\n");
}

/** Two lines before, its line, and carets. Empty outside the text. */
function frameOf({ range }: Diagnostic, lines: readonly string[], paint: (text: string) => string): string[] {
  const { line, column } = range.start;
  const text = lines[line - 1];
  if (text === undefined) return [];
  const width = Math.max(String(line).length, 3);
  const number = (value: number) => String(value).padStart(width);
  const before = [line - 2, line - 1]
    .filter((at) => at >= 1)
    .map((at) => `   ${number(at)} | ${printable(lines[at - 1] as string)}`);
  const length =
    range.end.line === line ? Math.max(range.end.column - column, 1) : Math.max(text.length - column + 1, 1);
  // Tabs are kept, so that the carets are exactly below the marked characters.
  const indent = text.slice(0, column - 1).replace(/[^\t]/g, " ");
  return [
    ...before,
    ` ${paint(">")} ${number(line)} | ${printable(text)}`,
    `   ${" ".repeat(width)} | ${indent}${paint("^".repeat(length))}`,
  ];
}

/** Text of strangers could move the cursor or change the reading direction. One for one, so that columns stay right. */
function printable(text: string): string {
  return text.replace(/[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, "\ufffd");
}
