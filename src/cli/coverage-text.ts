import type { CoverageReport, Share, UnexplainedPlace } from "./coverage.ts";
import { formatFields } from "./table.ts";

const shownContracts = 20;

/** The report as text for a terminal. Ends with a newline. */
export function formatCoverage(report: CoverageReport): string {
  const { cases, typed, partial, movements, calls, unexplained, unreadable } = report;
  const contracts = groupByContract(unexplained);
  const rest = contracts.length - shownContracts;
  return formatFields([
    ["cases", String(cases)],
    ["typed", `${percent(typed, cases)} (${typed})`],
    ["partial", `${percent(partial, cases)} (${partial})`],
    ["movements", `${shareText(movements)} of the subjects' are explained`],
    ["calls", `${shareText(calls)} of the subjects' are explained`],
    ["unreadable", unreadable.length === 0 ? "" : `${unreadable.length} file${unreadable.length === 1 ? "" : "s"}`],
    ["left over", contracts.slice(0, shownContracts).map(contractText).join("\n")],
    ["", rest > 0 ? `and ${rest} more contracts; --json lists all` : ""],
    ["", contracts.length > 0 ? "rule-lint new <protocol> --tx <one of these transactions> drafts a rule" : ""],
  ]);
}

/** What is left over at one contract, the most frequent first. One contract is usually one piece of work. */
interface Backlog {
  /** Cases of its most frequent function or event: others may be in the same ones. */
  cases: number;
  places: UnexplainedPlace[];
}

function groupByContract(unexplained: readonly UnexplainedPlace[]): Backlog[] {
  const groups = new Map<string, UnexplainedPlace[]>();
  for (const place of unexplained) groups.set(place.address, [...(groups.get(place.address) ?? []), place]);
  const backlog = [...groups.values()].map((places) => ({
    cases: Math.max(...places.map(({ cases }) => cases)),
    places: [...places].sort((a, b) => b.cases - a.cases || Number(a.selector === null) - Number(b.selector === null)),
  }));
  // Calls come before events, since a rule is easier to write for a call. Contracts that are equal stay in the order of addresses.
  const called = ({ places }: Backlog) => Number(places.some(({ selector }) => selector !== null));
  return backlog.sort((a, b) => b.cases - a.cases || called(b) - called(a));
}

function contractText({ cases, places }: Backlog): string {
  const [first] = places as [UnexplainedPlace];
  const head = [String(cases).padStart(4), first.address, first.label ?? ""].join("  ").trimEnd();
  const lines = places.map(({ cases: own, ...place }) => `${String(own).padStart(6)}  ${placeText(place)}`);
  return [head, ...lines, `        in ${first.example}`].join("\n");
}

function placeText({ selector, topic0, signature }: Omit<UnexplainedPlace, "cases">): string {
  const known = signature === null ? "" : `  ${signature}`;
  if (selector === null) return `event ${topic0 ?? "without topic"}${known}`;
  return `call ${selector === "0x" ? "plain" : selector}${known}`;
}

function shareText({ explained, total }: Share): string {
  return `${percent(explained, total)} (${explained} of ${total})`;
}

/** One decimal. Rounded down, so that 100.0 % means all. */
function percent(part: number, whole: number): string {
  return whole === 0 ? "100.0 %" : `${(Math.floor((part * 1000) / whole) / 10).toFixed(1)} %`;
}
