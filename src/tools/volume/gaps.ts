import { etherWorth } from "../../engine/normalize/ether-worth.ts";
import { type Address, toAddress } from "../../kernel/address.ts";
import { oneEther, parseDecimal } from "../../kernel/amount.ts";
import type { Hex } from "../../kernel/hex.ts";
import type { CaseFile } from "../../model/case-file.ts";
import type { Decision } from "../../model/decision.ts";
import type { Explanation } from "../../model/explanation.ts";
import type { Labels } from "../../model/label.ts";

/** A function or an event at a contract. Either selector or topic0 is given; an event without topics has neither. */
export interface GapPlace {
  address: Address;
  selector: string | null;
  topic0: Hex | null;
}

/** What an answer leaves unexplained, for authors of rules. */
export interface Gaps {
  /** Whether the answer has a type other than the fallbacks. */
  typed: boolean;
  /** Calls and events that nothing explains, each once. Empty where only a trace would show more. */
  places: GapPlace[];
  /**
   * Value in wei that moved unexplained, counting ether, wrapped ether and dollars; the worth of other tokens is not known. For an answer
   * without a type: the larger of what the subject gave and got.
   */
  worth: bigint;
}

/** Whether an answer has a type other than the fallbacks. */
export function isTyped({ action_type }: Pick<Explanation, "action_type">): boolean {
  return !fallbackTypes.has(action_type);
}

const fallbackTypes = new Set(["contract_interaction", "unknown"]);

export function findGaps({ explanation, evidence }: Decision, file: CaseFile, labels: Labels): Gaps {
  const found = evidence();
  const typed = isTyped(explanation);
  // Things that only a trace would show are no gap in the rules.
  if (typed && found.unexplained.length + found.unexplained_calls.length === 0) return { typed, places: [], worth: 0n };
  const places = new Map<string, GapPlace>();
  const add = (place: GapPlace) => places.set(`${place.address} ${place.selector} ${place.topic0}`, place);
  for (const { to, selector } of found.unexplained_calls) if (to !== null) add({ address: to, selector, topic0: null });
  for (const { address, topic0 } of found.unclaimed_logs) add({ address, selector: null, topic0 });
  const worthOf = priceIn(file, labels);
  const worth = typed
    ? sumOf(found.unexplained.map(({ token, amount }) => worthOf(token, BigInt(amount))))
    : turnover();
  return { typed, places: [...places.values()], worth };

  /** The worth for an answer without a type, which explains nothing: the larger of what the subject gave and got. */
  function turnover(): bigint {
    const side = (end: "from" | "to") =>
      sumOf(
        explanation.assets_moved
          .filter((asset) => asset[end].toLowerCase() === found.subject)
          .map(({ token_address: text, amount, standard }) => {
            const token = text === null ? null : toAddress(text);
            const decimals = token === null ? 18 : labels.token(token)?.decimals;
            const fungible = standard === "native" || standard === "erc20";
            const units = decimals === undefined || !fungible ? undefined : parseDecimal(amount, decimals);
            return worthOf(token, units ?? 0n);
          }),
      );
    const [given, got] = [side("from"), side("to")];
    return given > got ? given : got;
  }
}

/** Gives the worth of an amount in wei. Token null is ether; 0 where the worth is not known. */
function priceIn(file: CaseFile, labels: Labels): (token: Address | null, units: bigint) => bigint {
  const perEther = etherWorth(file, labels, new Set(labels.system("dollars")));
  return (token, units) => {
    const one = token === null ? oneEther : perEther(token);
    return one === undefined || one === 0n ? 0n : (units * oneEther) / one;
  };
}

function sumOf(amounts: readonly bigint[]): bigint {
  return amounts.reduce((sum, amount) => sum + amount, 0n);
}
