import { counted } from "../../kernel/amount.ts";
import { compareText } from "../../kernel/canonical.ts";

/** A part of a descriptor that did not become a rule, and why. */
export interface LeftOut {
  file: string;
  /** The JSON pointer into the descriptor after its includes were merged. Characters that are not printable are escaped. */
  place: string;
  reason: string;
}

/** Reports a part that cannot be expressed. */
export type ReportPart = (place: string, reason: string) => void;

/** How many characters of a text are shown. Pointers with signatures are long. */
const placeCharsMax = 2_000;

/** A text of a descriptor for reports: printable ASCII stays, everything else is written as `\\u1234`. */
export function printable(text: string): string {
  const shown = text.replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
  return shown.length > placeCharsMax ? `${shown.slice(0, placeCharsMax)}...` : shown;
}

/** The report for people: how much was made, then every reason with its count and places, the most frequent reason first. */
export function formatReport(findings: readonly LeftOut[], made: { files: number; rules: number }): string {
  const lines = [
    `${counted(made.rules, "rule")} in ${counted(made.files, "file")}; ${counted(findings.length, "part")} left out`,
  ];
  const groups = [...Map.groupBy(findings, ({ reason }) => reason)].sort(
    ([a, one], [b, other]) => other.length - one.length || compareText(a, b),
  );
  for (const [reason, group] of groups) {
    lines.push(`${group.length} x ${reason}`);
    for (const { file, place } of group) lines.push(`    ${printable(file)}${place === "" ? "" : `: ${place}`}`);
  }
  return lines.map((line) => `${line}\n`).join("");
}
