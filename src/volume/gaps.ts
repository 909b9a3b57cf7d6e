import type { Address } from "../kernel/address.ts";
import type { Hex } from "../kernel/hex.ts";
import type { CaseFile } from "../model/case-file.ts";
import type { Decision } from "../model/decision.ts";
import type { Labels } from "../model/label.ts";
import { etherWorth } from "../normalize/ether-worth.ts";

/** A function or an event at a contract. One of selector and topic0 is given, unless the event has no topic. */
export interface GapPlace {
  address: Address;
  selector: string | null;
  topic0: Hex | null;
}

/** What an answer leaves unexplained, for whoever writes rules. */
export interface Gaps {
  /** It has a type other than the fallbacks. */
  typed: boolean;
  /** Calls and events that nothing explains, each once. Empty where only a trace would tell more. */
  places: GapPlace[];
  /** Wei that the subject's unexplained movements of ether, wrapped ether and dollars are worth. Other tokens have no known worth. */
  worth: bigint;
}

const fallbackTypes = new Set(["contract_interaction", "unknown"]);
const oneEther = 10n ** 18n;

/** Finds the gaps of one decision. */
export function findGaps({ explanation, evidence }: Decision, file: CaseFile, labels: Labels): Gaps {
  const found = evidence();
  const typed = !fallbackTypes.has(explanation.action_type);
  // What only a trace would show is no gap in the rules.
  if (typed && found.unexplained.length + found.unexplained_calls.length === 0) return { typed, places: [], worth: 0n };
  const places = new Map<string, GapPlace>();
  const add = (place: GapPlace) => places.set(`${place.address} ${place.selector} ${place.topic0}`, place);
  for (const { to, selector } of found.unexplained_calls) if (to !== null) add({ address: to, selector, topic0: null });
  for (const { address, topic0 } of found.unclaimed_logs) add({ address, selector: null, topic0 });
  const perEther = etherWorth(file, labels, new Set(labels.system("dollars")));
  const worth = found.unexplained.reduce((sum, { token, amount }) => {
    const units = token === null ? oneEther : perEther.get(token);
    return units === undefined || units === 0n ? sum : sum + (BigInt(amount) * oneEther) / units;
  }, 0n);
  return { typed, places: [...places.values()], worth };
}
