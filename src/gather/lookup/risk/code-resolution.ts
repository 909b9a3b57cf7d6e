import type { Address } from "../../../kernel/address.ts";
import type { Hex } from "../../../kernel/hex.ts";
import type { VerifyQuestion } from "../../../model/lookup-plan.ts";
import type { VerificationLookup } from "../../../model/risk-lookups.ts";
import type { ReadState, StateRead } from "../../network/rpc/state-reader.ts";
import { addressIn, type ProxyReader } from "./proxy.ts";

/** With all proxies followed. */
export interface ResolvedCode extends Pick<VerificationLookup, "logic" | "via" | "owned"> {
  code: "none" | "contract" | "delegated";
  /** False: not followed, or only in a newer state. */
  certain: boolean;
}

export interface CodeContext {
  block: number;
  readState: ReadState;
  proxies: ProxyReader;
  signal: AbortSignal;
}

/** All addresses together, one round trip for each step. Unreadable addresses are missing in the result. */
export async function resolveCode(
  questions: readonly VerifyQuestion[],
  { block, readState, proxies, signal }: CodeContext,
): Promise<Map<Address, ResolvedCode>> {
  const ways: Way[] = questions.map((question) => ({ question, at: question, beacon: null, found: undefined }));
  for (let hop = 0; hop <= hopsMax; hop++) {
    const open = ways.filter((way) => way.at !== null);
    if (open.length === 0) break;
    const reads = open.map(({ at, beacon }): StateRead[] => {
      if (at === null) return [];
      return beacon === null ? proxies.reads(at) : [{ kind: "call", to: at.address, data: beacon }];
    });
    const answer = await readState(reads.flat(), block, signal);
    // Left out, not answered by half.
    if (answer === undefined) return settle(ways.filter((way) => way.at === null));
    let offset = 0;
    for (const [i, way] of open.entries()) {
      const count = (reads[i] as unknown[]).length;
      const results = answer.results.slice(offset, offset + count);
      advance(way, results, { proxies, newer: answer.at === "latest", last: hop === hopsMax });
      offset += count;
    }
  }
  return settle(ways);
}

/** From one address. */
const hopsMax = 4;

interface Way {
  question: VerifyQuestion;
  /** null: the end. */
  at: VerifyQuestion | null;
  /** If `at` is a beacon: asks for its implementation. */
  beacon: Hex | null;
  found: ResolvedCode | undefined;
}

function advance(
  way: Way,
  results: readonly (Hex | null)[],
  { proxies, newer, last }: { proxies: ProxyReader; newer: boolean; last: boolean },
): void {
  const at = way.at as VerifyQuestion;
  if (way.beacon !== null) {
    const implementation = addressIn(results[0] ?? null);
    way.beacon = null;
    if (implementation === undefined) stop(way, at.address, false);
    else way.at = { address: implementation, selector: null, owner: null };
    return;
  }
  const step = proxies.read(at, results);
  way.found ??= { code: step.code, logic: [], via: [], owned: step.owned, certain: true };
  // Code without a proxy never changes; a proxy's target and an empty address may.
  const changeable = step.code === "none" || (step.next !== null && step.via !== "eip1167");
  if ((newer && changeable) || step.unresolved) way.found.certain = false;
  if (step.unresolved) way.found.via.push("diamond");
  else if (step.via !== null) way.found.via.push(step.via);
  if (step.next === null) stop(way, at.address, true);
  else if (last) stop(way, step.next, false);
  else {
    way.beacon = step.beacon;
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
