import { existsSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import type { Engine } from "../../engine/build-engine.ts";
import { CaseFileError } from "../../gather/recordings/case-format.ts";
import { counted, parseDecimal, readableAmount } from "../../kernel/amount.ts";
import { compareText } from "../../kernel/canonical.ts";
import { chain } from "../../kernel/chain-profile.ts";
import type { CaseFile } from "../../model/case-file.ts";
import { UsageError } from "../terminal/command-table.ts";
import { formatFields } from "../terminal/table.ts";
import { findGaps } from "../volume/gaps.ts";
import { readOwnCase } from "./explainer.ts";
import { GapCount, type UnexplainedPlace } from "./volume/gap-count.ts";

export interface CoverageReport {
  cases: number;
  /** No case of this chain, or an earlier file's transaction. */
  unreadable: { file: string; problem: string }[];
  /** An action type other than the fallbacks. */
  typed: number;
  partial: number;
  /** Of all value movements and innermost calls of the subjects; null where only answers are known. */
  movements: Share | null;
  calls: Share | null;
  types: Record<string, number>;
  /** In cases without a type or with value or calls unexplained; the most frequent first. */
  unexplained: UnexplainedPlace[];
}

/** Every share is known. */
export type FolderReport = CoverageReport & { movements: Share; calls: Share };

/** Parts that `bulk work` made. */
export function holdsParts(dir: string): boolean {
  return existsSync(join(dir, ".txgloss"));
}

interface Share {
  explained: number;
  total: number;
}

/** One after the other. Rejects with UsageError for an empty folder. */
export async function measureFolder(
  dir: string,
  engine: Engine,
  progress: (done: number, total: number) => void = () => {},
): Promise<FolderReport> {
  const names = readdirSync(dir).filter((name) => name.endsWith(".json"));
  const report: FolderReport = {
    ...{ cases: 0, unreadable: [], typed: 0, partial: 0 },
    ...{ movements: { explained: 0, total: 0 }, calls: { explained: 0, total: 0 }, types: {}, unexplained: [] },
  };
  const gaps = new GapCount();
  const seen = new Map<string, string>();
  for (const [i, name] of names.sort().entries()) {
    progress(i + 1, names.length);
    const found = await openCase(join(dir, name), seen);
    if (typeof found === "string") report.unreadable.push({ file: join(dir, name), problem: found });
    else count(found, engine, { report, gaps });
  }
  if (report.cases === 0) {
    const [first] = report.unreadable;
    const why = first === undefined ? "" : `; ${first.file}: ${first.problem}`;
    throw new UsageError(`there is no case file of chain ${chain.id} in ${dir}${why}`);
  }
  return { ...report, types: sortTypes(report.types), unexplained: gaps.describe(engine) };
}

export function sortTypes(types: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.entries(types).sort(([a], [b]) => compareText(a, b)));
}

/** The case, or what is wrong with the file. `seen`: earlier files by transaction. */
async function openCase(path: string, seen: Map<string, string>): Promise<CaseFile | string> {
  try {
    const caseFile = await readOwnCase(path);
    const earlier = seen.get(caseFile.tx_hash);
    if (earlier !== undefined) return `the transaction of ${earlier} once more`;
    seen.set(caseFile.tx_hash, basename(path));
    return caseFile;
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException;
    if (error instanceof CaseFileError || error instanceof UsageError) return message.replace(`${path} is `, "");
    // A folder or a broken link with such a name is reported as one bad file.
    if (code !== undefined) return `cannot be read (${code})`;
    throw error;
  }
}

function count(file: CaseFile, engine: Engine, { report, gaps }: { report: FolderReport; gaps: GapCount }): void {
  const decision = engine.decide(file);
  const { explanation } = decision;
  const evidence = decision.evidence();
  const { typed, places, worth } = findGaps({ ...decision, evidence: () => evidence }, file, engine.labels);
  const type = explanation.action_type;
  report.cases++;
  if (typed) report.typed++;
  if (explanation.partial) report.partial++;
  report.types[type] = (report.types[type] ?? 0) + 1;
  for (const kind of ["movements", "calls"] as const) {
    report[kind].explained += evidence.completeness[kind].explained;
    report[kind].total += evidence.completeness[kind].total;
  }
  gaps.add(file.tx_hash, places, worth);
}

const shownContracts = 20;

/** For a terminal. Ends with a newline. */
export function formatCoverage(report: CoverageReport): string {
  const { cases, typed, partial, movements, calls, unexplained, unreadable } = report;
  const contracts = groupByContract(unexplained);
  const rest = contracts.length - shownContracts;
  return formatFields([
    ["cases", String(cases)],
    ["typed", `${percent(typed, cases)} (${typed})`],
    ["partial", `${percent(partial, cases)} (${partial})`],
    ["movements", movements === null ? "" : `${shareText(movements)} of the subjects' are explained`],
    ["calls", calls === null ? "" : `${shareText(calls)} of the subjects' are explained`],
    ["unreadable", unreadable.length === 0 ? "" : counted(unreadable.length, "file")],
    ["left over", contracts.slice(0, shownContracts).map(contractText).join("\n")],
    ["", rest > 0 ? `and ${counted(rest, "more contract")}; --json lists all` : ""],
    ["by value", byValue(contracts).map(valueText).join("\n")],
    ["", contracts.length > 0 ? "rule-lint new <protocol> --tx <one of these transactions> drafts a rule" : ""],
  ]);
}

/** What is unexplained at one contract, which usually needs one rule file. */
interface Backlog {
  /** Of its most frequent function or event; others may be in the same cases, so they are not added. */
  cases: number;
  /** Wei of its most valuable place, for the same reason. */
  worth: bigint;
  places: UnexplainedPlace[];
}

function groupByContract(unexplained: readonly UnexplainedPlace[]): Backlog[] {
  const backlog = [...Map.groupBy(unexplained, ({ address }) => address).values()].map((places) => ({
    cases: Math.max(...places.map(({ cases }) => cases)),
    worth: places.map(({ worth_eth: worth }) => parseDecimal(worth, 18) ?? 0n).reduce((a, b) => (a > b ? a : b)),
    places: places.sort((a, b) => b.cases - a.cases || Number(a.selector === null) - Number(b.selector === null)),
  }));
  // Contracts with calls come before those with events only, because a rule for a call is easier to write. Sorting is stable: equal ones
  // stay in the order of addresses.
  const called = ({ places }: Backlog) => Number(places.some(({ selector }) => selector !== null));
  return backlog.sort((a, b) => b.cases - a.cases || called(b) - called(a));
}

/** The most valuable first. */
function byValue(contracts: readonly Backlog[]): Backlog[] {
  const valued = contracts.filter(({ worth }) => worth > 0n);
  return valued.sort((a, b) => (a.worth < b.worth ? 1 : a.worth > b.worth ? -1 : 0)).slice(0, shownContracts);
}

function valueText({ worth, places }: Backlog): string {
  const [first] = places as [UnexplainedPlace];
  return `${readableAmount(worth, 18)} ETH  ${first.address}  ${first.label ?? ""}`.trimEnd();
}

function contractText({ cases, places }: Backlog): string {
  const [first] = places as [UnexplainedPlace];
  const head = [String(cases).padStart(4), first.address, first.label ?? ""].join("  ").trimEnd();
  const lines = places.map(({ cases: own, selector, topic0, signature }) => {
    const what =
      selector === null ? `event ${topic0 ?? "without topic"}` : `call ${selector === "0x" ? "plain" : selector}`;
    return `${String(own).padStart(6)}  ${what}${signature === null ? "" : `  ${signature}`}`;
  });
  return [head, ...lines, `        in ${first.example}`].join("\n");
}

function shareText({ explained, total }: Share): string {
  return `${percent(explained, total)} (${explained} of ${total})`;
}

/** Rounded down, so that 100.0 % means all. */
function percent(part: number, whole: number): string {
  return whole === 0 ? "100.0 %" : `${(Math.floor((part * 1000) / whole) / 10).toFixed(1)} %`;
}
