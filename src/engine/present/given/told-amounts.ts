import type { Address } from "../../../kernel/address.ts";
import { membersOf } from "../../../kernel/lists.ts";
import type { MatchContext } from "../../../model/match.ts";
import type { CompiledRule } from "../../../rules/ruleset/compiled.ts";
import { nearPercent } from "../../money/thresholds.ts";
import { balanceChanges } from "../../normalize/balance-changes.ts";
import type { Loss } from "../../settle/losses.ts";
import type { ToldAmount } from "../amounts/asset-names.ts";

/** With the amounts of its sentence. */
export interface TellingAct {
  rule: CompiledRule;
  context: MatchContext;
  amounts: readonly ToldAmount[];
}

interface Lost {
  loss: Loss;
  amount: bigint;
}

/** Acts whose amounts are added up. */
const sumsMax = 12;

/** By account and asset; wrapped ether is ether. */
export class ToldAmounts {
  readonly #acts: readonly TellingAct[];
  /** The largest of each act. */
  readonly #amounts: Map<string, bigint[]> = new Map();

  constructor(acts: readonly TellingAct[]) {
    this.#acts = acts;
    for (const { context, amounts } of acts) {
      const largest = new Map<string, bigint>();
      for (const { key, amount } of amounts) if (amount > (largest.get(key) ?? -1n)) largest.set(key, amount);
      for (const [key, amount] of largest) {
        const place = toldPlaceOf(context.subject, key, context);
        this.#amounts.set(place, [...(this.#amounts.get(place) ?? []), amount]);
      }
    }
  }

  /** One amount states one loss, or ether and wrapped ether together. */
  untold(parts: readonly Lost[]): Loss[] {
    const [act] = this.#acts;
    const losses = parts.filter(({ amount }) => amount > 0n);
    if (act === undefined || losses.length === 0) return losses.map(({ loss }) => loss);
    const placeOf = ({ loss }: Lost) => toldPlaceOf(loss.account, loss.asset.key, act.context);
    if (losses.length === 1) return this.#untoldOf(placeOf(losses[0] as Lost), losses);
    const groups = [...Map.groupBy(losses, placeOf)];
    const untold = membersOf(groups.flatMap(([place, group]) => this.#untoldOf(place, group)));
    return losses.flatMap(({ loss }) => (untold.has(loss) ? [loss] : []));
  }

  /** Losses that one place in the sentences may state. */
  #untoldOf(place: string, group: readonly Lost[]): Loss[] {
    const left = [...(this.#amounts.get(place) ?? [])];
    const sums = sumsOf(left);
    const whole = group.reduce((sum, { amount }) => sum + amount, 0n);
    const gross = group.reduce((sum, { loss }) => sum + loss.gross, 0n);
    if (sums.some((sum) => isNear(sum, whole, gross))) return [];
    return group.flatMap(({ loss, amount }) => {
      const at = left.findIndex((one) => isNear(one, amount, loss.gross));
      if (at >= 0) left.splice(at, 1);
      return at >= 0 ? [] : [loss];
    });
  }

  /** How much of the asset the sentence about an act states; its largest amount. */
  statedBy(context: MatchContext, { account, asset }: Loss): bigint {
    const place = toldPlaceOf(account, asset.key, context);
    let most = 0n;
    for (const act of this.#acts)
      if (act.context === context)
        for (const { key, amount } of act.amounts)
          if (amount > most && toldPlaceOf(account, key, context) === place) most = amount;
    return most;
  }

  /** Its amount, or an asset got for it. */
  tellsReceipt(account: Address, { action, amount }: Loss["reached"][number]): boolean {
    return this.#acts.some(({ context, amounts }) => {
      if (context !== action.context && context.subject !== account) return false;
      if (amounts.some((one) => isNear(one.amount, amount, amount))) return true;
      const gets = context.subject === account ? context.flow.gets : balanceChanges(context.tx, account).gets;
      const places = new Set(gets.map(({ key }) => toldPlaceOf(account, key, context)));
      return amounts.some(({ key }) => places.has(toldPlaceOf(account, key, context)));
    });
  }
}

/** Also of runs of neighbours: a sentence may split one loss. */
function sumsOf(amounts: readonly bigint[]): bigint[] {
  return amounts.flatMap((_, from) => {
    let sum = 0n;
    return amounts.slice(from, sumsMax).map((amount) => {
      sum += amount;
      return sum;
    });
  });
}

export function isNear(told: bigint, amount: bigint, gross: bigint): boolean {
  return told * 100n >= amount * nearPercent.least && told * 100n <= gross * nearPercent.most;
}

export function toldPlaceOf(account: Address, key: string, { tx }: MatchContext): string {
  return `${account}${tx.weth.has(key as Address) ? "native" : key}`;
}
