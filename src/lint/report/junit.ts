import type { Diagnostic } from "../../model/diagnostic.ts";
import { findCode } from "../codes/codes.ts";
import type { LintReport } from "./lint-report.ts";
import { sentenceOf, tally } from "./tally.ts";

/** JUnit XML for build servers: one suite for each file with findings, each finding a test that failed (a note is one that passed). */
export function formatJunit({ diagnostics, files }: LintReport): string {
  const byFile = new Map<string, Diagnostic[]>();
  for (const one of diagnostics) byFile.set(one.file, [...(byFile.get(one.file) ?? []), one]);
  const suites = [...byFile].map(([file, own]) => suiteOf(file, own));
  const clean = files - byFile.size;
  if (clean > 0 || suites.length === 0)
    suites.push(
      `  <testsuite name="rule-lint" tests="1" failures="0" errors="0" skipped="0">\n    <testcase classname="rule-lint" name="${clean} files without findings"/>\n  </testsuite>`,
    );
  const tests = diagnostics.length + suites.length - byFile.size;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="rule-lint" tests="${tests}" failures="${failuresIn(diagnostics)}" errors="0">`,
    ...suites,
    "</testsuites>\n",
  ].join("\n");
}

function suiteOf(file: string, own: readonly Diagnostic[]): string {
  const seen = new Map<string, number>();
  const cases = own.map((one) => {
    const place = `${one.code} ${one.range.start.line}:${one.range.start.column}`;
    const count = (seen.get(place) ?? 0) + 1;
    seen.set(place, count);
    // Build servers know a test by its name.
    return caseOf(one, count === 1 ? place : `${place} (${count})`).replace(/^/gm, "    ");
  });
  const counts = `tests="${own.length}" failures="${failuresIn(own)}" errors="0" skipped="0"`;
  return [`  <testsuite name="${escapeXml(file)}" ${counts}>`, ...cases, "  </testsuite>"].join("\n");
}

function caseOf(one: Diagnostic, name: string): string {
  const { start } = one.range;
  const open = `<testcase classname="${escapeXml(one.file)}" name="${escapeXml(name)}" file="${escapeXml(one.file)}" line="${start.line}"`;
  const message = escapeXml(sentenceOf(one));
  if (one.level === "note") return `${open}>\n  <system-out>${message}</system-out>\n</testcase>`;
  const help = escapeXml(one.help ?? findCode(one.code)?.help ?? "");
  return `${open}>\n  <failure type="${one.level}" message="${message}">${help}</failure>\n</testcase>`;
}

function failuresIn(diagnostics: readonly Diagnostic[]): number {
  const { errors, warnings } = tally(diagnostics);
  return errors + warnings;
}

/** What strangers wrote may hold characters that XML 1.0 does not have at all. */
function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replace(/[^\u0009\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, "\ufffd")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("\t", "&#9;");
}
