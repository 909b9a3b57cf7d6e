import type { Address } from "../../kernel/address.ts";
import type { VerifyQuestion } from "../../model/lookup-plan.ts";
import type { ProxyKind } from "../../model/risk-lookups.ts";
import type { ReadState } from "../../network/rpc/state-reader.ts";
import { addressIn, beaconRead, type CodeQuestion, readStep, stepReads } from "./proxy.ts";

/** The code that runs at an address, after all proxies. */
export interface ResolvedCode {
  code: "none" | "contract" | "delegated";
  logic: Address[];
  via: ProxyKind[];
  owned: boolean;
  /** False when a proxy could not be followed, or only in a newer state than that of the transaction. */
  certain: boolean;
}

/**
 * Follows proxies at a block to a fixpoint, all addresses together: one round trip for each step on the longest way. Addresses
 * that nobody could read are missing in the answer.
 */
export async function resolveCode(
  questions: readonly VerifyQuestion[],
  { block, readState, signal }: { block: number; readState: ReadState; signal: AbortSignal },
): Promise<Map<Address, ResolvedCode>> {
  const ways: Way[] = questions.map((question) => ({ question, at: question, beacon: false, found: undefined }));
  for (let hop = 0; hop <= hopsMax; hop++) {
    const open = ways.filter((way) => way.at !== null);
    if (open.length === 0) break;
    const reads = open.map((way) => readsOf(way));
    const answer = await readState(reads.flat(), block, signal);
    // No half answers: an address whose proxy could not be read is left out.
    if (answer === undefined) return settle(ways.filter((way) => way.at === null));
    let offset = 0;
    for (const [i, way] of open.entries()) {
      const count = (reads[i] as unknown[]).length;
      advance(way, answer.results.slice(offset, offset + count), {
        newer: answer.at === "latest",
        last: hop === hopsMax,
      });
      offset += count;
    }
  }
  return settle(ways);
}

/** How many proxies behind each other are followed. */
const hopsMax = 4;

interface Way {
  question: VerifyQuestion;
  /** The address to read next; null at the end. */
  at: CodeQuestion | null;
  /** True when `at` is a beacon that is asked for its implementation. */
  beacon: boolean;
  found: ResolvedCode | undefined;
}

function readsOf({ at, beacon }: Way) {
  if (at === null) return [];
  return beacon ? [beaconRead(at.address)] : stepReads(at);
}

function advance(
  way: Way,
  results: readonly (`0x${string}` | null)[],
  { newer, last }: { newer: boolean; last: boolean },
): void {
  const at = way.at as CodeQuestion;
  if (way.beacon) {
    const implementation = addressIn(results[0] ?? null);
    way.beacon = false;
    if (implementation === undefined) stop(way, at.address, false);
    else way.at = { address: implementation, selector: null, owner: null };
    return;
  }
  const step = readStep(at, results);
  way.found ??= { code: step.code, logic: [], via: [], owned: step.owned, certain: true };
  // Code that is no proxy never changes. The target of a proxy can, and code can be added to an empty address.
  const changeable = step.code === "none" || (step.next !== null && step.via !== "eip1167");
  if ((newer && changeable) || step.unresolved) way.found.certain = false;
  if (step.unresolved) way.found.via.push("diamond");
  else if (step.via !== null) way.found.via.push(step.via);
  if (step.next === null) stop(way, at.address, true);
  else if (last) stop(way, step.next, false);
  else {
    way.beacon = step.via === "beacon";
    way.at = { address: step.next, selector: at.selector, owner: null };
  }
}

function stop(way: Way, logic: Address, certain: boolean): void {
  way.at = null;
  if (way.found === undefined) return;
  way.found.logic.push(logic);
  way.found.certain &&= certain;
}

function settle(ways: readonly Way[]): Map<Address, ResolvedCode> {
  return new Map(ways.flatMap((way) => (way.found === undefined ? [] : [[way.question.address, way.found] as const])));
}
