import { etherWorth } from "../../engine/normalize/ether-worth.ts";
import { type Address, toAddress } from "../../kernel/address.ts";
import { oneEther, parseDecimal } from "../../kernel/amount.ts";
import type { Hex } from "../../kernel/hex.ts";
import type { CaseFile } from "../../model/case-file.ts";
import type { Decision } from "../../model/decision.ts";
import type { Explanation } from "../../model/explanation.ts";
import type { Labels } from "../../model/label.ts";

/** Either selector or topic0; an event without topics has neither. */
export interface GapPlace {
  address: Address;
  selector: string | null;
  topic0: Hex | null;
}

export interface Gaps {
  /** A type other than the fallbacks. */
  typed: boolean;
  /** Each once. Empty where only a trace would show more. */
  places: GapPlace[];
  /**
   * Wei that moved unexplained: ether, wrapped ether and dollars; other worth is unknown. Without a type: the larger of given and received.
   */
  worth: bigint;
}

/** A type other than the fallbacks. */
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

  /** Without a type: the larger of given and received. */
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

/** Worth in wei. Token null is ether; 0 where unknown. */
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
