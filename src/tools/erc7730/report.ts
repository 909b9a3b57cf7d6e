import { counted } from "../../kernel/amount.ts";
import { compareText } from "../../kernel/canonical.ts";

export interface LeftOut {
  file: string;
  /** JSON pointer after merging; escaped. */
  place: string;
  reason: string;
}

export type ReportPart = (place: string, reason: string) => void;

/** Pointers with signatures are long. */
const placeCharsMax = 2_000;

/** Printable ASCII; everything else as `\\u1234`. */
export function printable(text: string): string {
  const shown = text.replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
  return shown.length > placeCharsMax ? `${shown.slice(0, placeCharsMax)}...` : shown;
}

/** How much was made, then every reason with count and places, the most frequent first. */
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
