import { readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { signatureFacts } from "../abi/signature.ts";
import type { Engine } from "../engine/build-engine.ts";
import type { Address } from "../kernel/address.ts";
import { chain } from "../kernel/chain-profile.ts";
import type { Hex } from "../kernel/hex.ts";
import type { CaseFile } from "../model/case-file.ts";
import type { Decision } from "../model/decision.ts";
import { CaseFileError } from "../recordings/case-format.ts";
import { UsageError } from "../terminal/command-table.ts";
import { formatFields } from "../terminal/table.ts";
import { readOwnCase } from "./explainer.ts";

/** How much of a folder of cases is explained, and what a contributor could do about the rest. */
export interface CoverageReport {
  cases: number;
  /** Files that are no case of this chain, or one that was counted already. */
  unreadable: { file: string; problem: string }[];
  /** Cases with a type other than the fallbacks. */
  typed: number;
  partial: number;
  /** Of all subjects' movements of value and innermost calls. */
  movements: Share;
  calls: Share;
  types: Record<string, number>;
  /** Calls and events that nothing explains in cases that are not typed or leave value or calls over, most cases first. */
  unexplained: UnexplainedPlace[];
}

interface Share {
  explained: number;
  total: number;
}

/** A function or an event that no rule knows there. One of selector and topic0 is given. */
interface UnexplainedPlace {
  address: Address;
  label: string | null;
  selector: string | null;
  topic0: Hex | null;
  /** What some rule file calls it, such as `transfer(address,uint256)`; several where hashes agree, null when none knows it. */
  signature: string | null;
  /** Cases that it is in. */
  cases: number;
  /** One of them. */
  example: string;
}

/** What is counted of a place while cases are read. */
interface PlaceCount {
  place: Pick<UnexplainedPlace, "address" | "selector" | "topic0">;
  cases: number;
  example: string;
}

const fallbackTypes = new Set(["contract_interaction", "unknown"]);

/** Explains every case file of a folder, one after the other. Rejects with UsageError when there is none. */
export async function measureFolder(
  dir: string,
  engine: Engine,
  progress: (done: number, total: number) => void = () => {},
): Promise<CoverageReport> {
  const names = readdirSync(dir).filter((name) => name.endsWith(".json"));
  const report: CoverageReport = {
    ...{ cases: 0, unreadable: [], typed: 0, partial: 0 },
    ...{ movements: { explained: 0, total: 0 }, calls: { explained: 0, total: 0 }, types: {}, unexplained: [] },
  };
  const places = new Map<string, PlaceCount>();
  const seen = new Map<string, string>();
  for (const [i, name] of names.sort().entries()) {
    progress(i + 1, names.length);
    const found = await openCase(join(dir, name), seen);
    if (typeof found === "string") report.unreadable.push({ file: join(dir, name), problem: found });
    else count(found, engine.decide(found), { report, places });
  }
  if (report.cases === 0) {
    const [first] = report.unreadable;
    const why = first === undefined ? "" : `; ${first.file}: ${first.problem}`;
    throw new UsageError(`there is no case file of chain ${chain.id} in ${dir}${why}`);
  }
  const types = Object.fromEntries(Object.entries(report.types).sort(([a], [b]) => (a < b ? -1 : 1)));
  return { ...report, types, unexplained: describePlaces(places, engine) };
}

/** The places with the names that labels and rule files have for them, most cases first. */
function describePlaces(places: ReadonlyMap<string, PlaceCount>, { labels }: Engine): UnexplainedPlace[] {
  const facts = Object.values(signatureFacts()).filter(({ item }) => ["function", "event"].includes(item.type));
  const known = Map.groupBy(facts, ({ hash }) => hash as string);
  return [...places]
    .sort(([a, { cases }], [b, other]) => other.cases - cases || (a < b ? -1 : 1))
    .map(([, { place, ...counted }]) => {
      const same = known.get(place.selector ?? place.topic0 ?? "")?.map(({ signature }) => signature);
      return {
        ...place,
        label: labels.name(place.address)?.label ?? labels.token(place.address)?.symbol ?? null,
        signature: same === undefined ? null : [...new Set(same)].sort().join(" or "),
        ...counted,
      };
    });
}

/** The case, or what is wrong with the file. `seen` has the names of earlier files by transaction. */
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
    // A folder or a dangling link with such a name is one bad file, not the end.
    if (code !== undefined) return `cannot be read (${code})`;
    throw error;
  }
}

/** Adds a case to the figures of the report, and what is unexplained in it to the places. */
function count(
  { tx_hash: example }: CaseFile,
  { explanation, evidence }: Decision,
  { report, places }: { report: CoverageReport; places: Map<string, PlaceCount> },
): void {
  const found = evidence();
  const type = explanation.action_type;
  const typed = !fallbackTypes.has(type);
  report.cases++;
  if (typed) report.typed++;
  if (explanation.partial) report.partial++;
  report.types[type] = (report.types[type] ?? 0) + 1;
  for (const kind of ["movements", "calls"] as const) {
    report[kind].explained += found.completeness[kind].explained;
    report[kind].total += found.completeness[kind].total;
  }
  // What only a trace would show is no gap in the rules.
  if (typed && found.unexplained.length + found.unexplained_calls.length === 0) return;
  const here = new Map<string, PlaceCount["place"]>();
  const add = (place: PlaceCount["place"]) => here.set(`${place.address} ${place.selector} ${place.topic0}`, place);
  for (const { to, selector } of found.unexplained_calls) if (to !== null) add({ address: to, selector, topic0: null });
  for (const { address, topic0 } of found.unclaimed_logs) add({ address, selector: null, topic0 });
  for (const [key, place] of here)
    places.set(key, { place, cases: (places.get(key)?.cases ?? 0) + 1, example: places.get(key)?.example ?? example });
}

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
  const backlog = [...Map.groupBy(unexplained, ({ address }) => address).values()].map((places) => ({
    cases: Math.max(...places.map(({ cases }) => cases)),
    places: places.sort((a, b) => b.cases - a.cases || Number(a.selector === null) - Number(b.selector === null)),
  }));
  // Calls come before events, since a rule is easier to write for a call. Contracts that are equal stay in the order of addresses.
  const called = ({ places }: Backlog) => Number(places.some(({ selector }) => selector !== null));
  return backlog.sort((a, b) => b.cases - a.cases || called(b) - called(a));
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

/** One decimal. Rounded down, so that 100.0 % means all. */
function percent(part: number, whole: number): string {
  return whole === 0 ? "100.0 %" : `${(Math.floor((part * 1000) / whole) / 10).toFixed(1)} %`;
}
