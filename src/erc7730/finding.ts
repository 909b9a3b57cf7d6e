/** A part of a descriptor that did not become a rule, and why. */
export interface Finding {
  file: string;
  /** The function, field or entry meant; descriptor text in printable form. */
  place: string;
  reason: string;
}

/** Where parts that cannot be expressed are listed. */
export type Listing = (place: string, reason: string) => void;

/** Descriptor text as a report may print it: printable ASCII, at most 80 characters. */
export function printable(text: unknown): string {
  const plain = (typeof text === "string" ? text : (JSON.stringify(text) ?? "")).slice(0, 200);
  const shown = plain.replace(/[^\x20-\x7e]/g, "?");
  return shown.length > 80 ? `${shown.slice(0, 77)}...` : shown;
}

/** The report for stderr: what was made, then every reason with its count and places, most frequent first. */
export function formatReport(findings: readonly Finding[], made: { files: number; rules: number }): string {
  const lines = [
    `${count(made.rules, "rule")} in ${count(made.files, "file")}; ${count(findings.length, "part")} left out`,
  ];
  const byReason = new Map<string, Finding[]>();
  for (const one of findings) byReason.set(one.reason, [...(byReason.get(one.reason) ?? []), one]);
  const groups = [...byReason].sort(([a, one], [b, other]) => other.length - one.length || (a < b ? -1 : 1));
  for (const [reason, group] of groups) {
    lines.push(`${group.length} x ${reason}`);
    for (const { file, place } of group) lines.push(`    ${printable(file)}${place === "" ? "" : `: ${place}`}`);
  }
  return lines.map((line) => `${line}\n`).join("");
}

function count(n: number, noun: string): string {
  return `${n} ${noun}${n === 1 ? "" : "s"}`;
}
