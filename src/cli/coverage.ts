import { readdirSync } from "node:fs";
import { join } from "node:path";
import { signatureFacts } from "../abi/signature.ts";
import type { Engine } from "../engine/engine.ts";
import type { Address } from "../kernel/address.ts";
import { chain } from "../kernel/chain-profile.ts";
import type { Hex } from "../kernel/hex.ts";
import type { CaseFile } from "../model/case-file.ts";
import { CaseFileError, readCase } from "../recordings/case-format.ts";
import { UsageError } from "./command-line.ts";

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

export interface Share {
  explained: number;
  total: number;
}

/** A function or an event that no rule knows there. One of selector and topic0 is given. */
export interface UnexplainedPlace {
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

/** Every function and event that a rule file has, by selector or topic0. The rules have been compiled by now. */
function knownSignatures(): Map<string, string> {
  const known = new Map<string, Set<string>>();
  for (const { item, signature, hash } of Object.values(signatureFacts()))
    if (item.type === "function" || item.type === "event")
      known.set(hash, (known.get(hash) ?? new Set()).add(signature));
  return new Map([...known].map(([hash, names]) => [hash, [...names].sort().join(" or ")]));
}

type Place = Pick<UnexplainedPlace, "address" | "selector" | "topic0">;

const fallbackTypes = new Set(["contract_interaction", "unknown"]);

/** Explains every case file of a folder, one after the other. Rejects with UsageError when there is none. */
export async function measureFolder(
  dir: string,
  engine: Engine,
  progress: (done: number, total: number) => void = () => {},
): Promise<CoverageReport> {
  const files = readdirSync(dir)
    .filter((name) => name.endsWith(".json"))
    .sort();
  const tally = new CoverageTally(engine);
  for (const [i, name] of files.entries()) {
    progress(i + 1, files.length);
    const found = await openCase(join(dir, name));
    const problem = typeof found === "string" ? found : tally.add(found, name);
    if (problem !== null) tally.report.unreadable.push({ file: join(dir, name), problem });
  }
  const { cases, unreadable } = tally.report;
  if (cases === 0) {
    const [first] = unreadable;
    const why = first === undefined ? "" : `; ${first.file}: ${first.problem}`;
    throw new UsageError(`there is no case file of chain ${chain.id} in ${dir}${why}`);
  }
  return tally.finish();
}

/** The case, or what is wrong with the file. */
async function openCase(path: string): Promise<CaseFile | string> {
  try {
    const caseFile = await readCase(path);
    return caseFile.chain_id === chain.id ? caseFile : `a case of chain ${caseFile.chain_id}, not of ${chain.id}`;
  } catch (error) {
    if (error instanceof CaseFileError) return error.message.replace(`${path} is `, "");
    // A folder or a dangling link with such a name is one bad file, not the end.
    const { code } = error as NodeJS.ErrnoException;
    if (code !== undefined) return `cannot be read (${code})`;
    throw error;
  }
}

class CoverageTally {
  readonly report: CoverageReport = {
    ...{ cases: 0, unreadable: [], typed: 0, partial: 0 },
    ...{ movements: { explained: 0, total: 0 }, calls: { explained: 0, total: 0 }, types: {}, unexplained: [] },
  };
  readonly #engine: Engine;
  readonly #places: Map<string, UnexplainedPlace> = new Map();
  readonly #files: Map<string, string> = new Map();
  readonly #signatures: ReadonlyMap<string, string>;

  constructor(engine: Engine) {
    this.#engine = engine;
    this.#signatures = knownSignatures();
  }

  /** Counts a case; returns what is wrong when its transaction was counted before. */
  add(caseFile: CaseFile, file: string): string | null {
    const earlier = this.#files.get(caseFile.tx_hash);
    if (earlier !== undefined) return `the transaction of ${earlier} once more`;
    this.#files.set(caseFile.tx_hash, file);
    this.#count(caseFile);
    return null;
  }

  #count(caseFile: CaseFile): void {
    const { explanation, evidence } = this.#engine.decide(caseFile);
    const { report } = this;
    const found = evidence();
    const typed = !fallbackTypes.has(explanation.action_type);
    report.cases++;
    if (typed) report.typed++;
    if (explanation.partial) report.partial++;
    report.types[explanation.action_type] = (report.types[explanation.action_type] ?? 0) + 1;
    for (const kind of ["movements", "calls"] as const) {
      report[kind].explained += found.completeness[kind].explained;
      report[kind].total += found.completeness[kind].total;
    }
    // What only a trace would show is no gap in the rules.
    if (typed && found.unexplained.length + found.unexplained_calls.length === 0) return;
    const places = new Map<string, Place>();
    for (const { to, selector } of found.unexplained_calls)
      if (to !== null) places.set(`${to} ${selector}`, { address: to, selector, topic0: null });
    for (const { address, topic0 } of found.unclaimed_logs)
      places.set(`${address} event ${topic0}`, { address, selector: null, topic0 });
    for (const [key, place] of places) this.#countPlace(key, place, caseFile.tx_hash);
  }

  finish(): CoverageReport {
    const unexplained = [...this.#places.values()].sort(
      (a, b) => b.cases - a.cases || (placeKey(a) < placeKey(b) ? -1 : 1),
    );
    const types = Object.fromEntries(Object.entries(this.report.types).sort(([a], [b]) => (a < b ? -1 : 1)));
    return { ...this.report, types, unexplained };
  }

  #countPlace(key: string, place: Place, example: string): void {
    const known = this.#places.get(key);
    if (known !== undefined) {
      known.cases++;
      return;
    }
    const { labels } = this.#engine;
    const label = labels.name(place.address)?.label ?? labels.token(place.address)?.symbol ?? null;
    const signature = this.#signatures.get(place.selector ?? place.topic0 ?? "") ?? null;
    this.#places.set(key, { ...place, label, signature, cases: 1, example });
  }
}

function placeKey({ address, selector, topic0 }: UnexplainedPlace): string {
  return `${address} ${selector} ${topic0}`;
}
