import type { Diagnostic } from "../../../model/diagnostic.ts";
import { uniqueNames } from "../distinct-names.ts";
import { helpOf, type LintReport, sentenceOf, tally } from "./lint-report.ts";

/** A suite a file; a finding is a failed test, a note a passed one. */
export function formatJunit({ diagnostics, files }: LintReport): string {
  const byFile = Map.groupBy(diagnostics, ({ file }) => file);
  const suites = [...byFile].map(([file, own]) => suiteOf(file, own));
  const clean = files - byFile.size;
  const passed = `<testcase classname="rule-lint" name="${clean} files without findings"/>`;
  if (clean > 0 || suites.length === 0) suites.push(suiteText("rule-lint", { tests: 1, failures: 0 }, [passed]));
  const tests = diagnostics.length + suites.length - byFile.size;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="rule-lint" tests="${tests}" failures="${failuresIn(diagnostics)}" errors="0">`,
    ...suites,
    "</testsuites>\n",
  ].join("\n");
}

function suiteOf(file: string, own: readonly Diagnostic[]): string {
  // Names must be unique, because build servers identify a test by its name.
  const placeOf = ({ code, range: { start } }: Diagnostic) => `${code} ${start.line}:${start.column}`;
  const names = uniqueNames(own.map(placeOf));
  const cases = own.map((one, i) => caseOf(one, names[i] as string));
  return suiteText(file, { tests: own.length, failures: failuresIn(own) }, cases);
}

function suiteText(name: string, counts: { tests: number; failures: number }, cases: readonly string[]): string {
  const open = `  <testsuite name="${escapeXml(name)}" tests="${counts.tests}" failures="${counts.failures}" errors="0" skipped="0">`;
  return [open, ...cases.map((one) => one.replace(/^/gm, "    ")), "  </testsuite>"].join("\n");
}

function caseOf(one: Diagnostic, name: string): string {
  const file = escapeXml(one.file);
  const open = `<testcase classname="${file}" name="${escapeXml(name)}" file="${file}" line="${one.range.start.line}"`;
  const message = escapeXml(sentenceOf(one));
  if (one.level === "note") return `${open}>\n  <system-out>${message}</system-out>\n</testcase>`;
  const help = escapeXml(helpOf(one) ?? "");
  return `${open}>\n  <failure type="${one.level}" message="${message}">${help}</failure>\n</testcase>`;
}

function failuresIn(diagnostics: readonly Diagnostic[]): number {
  const { errors, warnings } = tally(diagnostics);
  return errors + warnings;
}

/** Characters that XML 1.0 does not allow become U+FFFD. */
function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replace(/[^\u0009\u000a\u000d\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "\ufffd")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replace(/[\t\n\r]/g, (space) => `&#${space.charCodeAt(0)};`);
}
