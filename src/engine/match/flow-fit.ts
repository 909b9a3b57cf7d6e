import type { AssetChange, BalanceChanges, MatchContext } from "../../model/match.ts";
import type { Value } from "../../rules/abi/abi-type.ts";
import type { FlowCondition, FlowSide } from "../../rules/ruleset/compiled.ts";

/**
 * Unseen ether can replace one empty side, not both. What an account gives by its own transaction, or by calls that certainly ran as
 * written, is always seen.
 */
export function flowFits(
  condition: FlowCondition,
  flow: BalanceChanges,
  context: MatchContext,
  exchanges: boolean,
): boolean {
  const asksBoth = (condition.gives?.min ?? 0) > 0 && (condition.gets?.min ?? 0) > 0;
  const nothing = asksBoth && flow.gives.length + flow.gets.length === 0;
  // Proceeds that somebody else got did not come to the account unseen.
  const unseen = !flow.complete && !nothing && !(exchanges && context.paysElsewhere(flow));
  const unseenGift = unseen && !context.seesGifts;
  return (
    sideFits(condition.gives, flow.gives, unseenGift, context) && sideFits(condition.gets, flow.gets, unseen, context)
  );
}

/** By the number of assets, where all ether is seen. False: cannot fit. */
export function couldFit({ gives, gets }: FlowCondition, flow: BalanceChanges): boolean {
  return sideCouldFit(gives, flow.gives) && sideCouldFit(gets, flow.gets);
}

function sideCouldFit(side: FlowSide | null, assets: readonly AssetChange[]): boolean {
  if (side === null) return true;
  if (assets.length === 0) return side.min === 0;
  return side.token !== null || countsFit(side, assets, undefined);
}

/** `hard`: claimed; `soft`: explained if nobody else does. */
export interface FlowMovements {
  hard: number[];
  soft: number[];
}

/** Assets of a counted side are claimed. Those of an open side (`any`), and equal amounts that came and went, are only explained. */
export function flowMovements(condition: FlowCondition, flow: BalanceChanges): FlowMovements {
  const hard: number[] = [];
  const soft: number[] = [];
  for (const { movements } of flow.neutral) soft.push(...movements);
  const add = (side: FlowSide | null, assets: readonly AssetChange[]): void => {
    for (const asset of assets) {
      const target = side !== null && side.max > 0 && counts(side, asset) ? hard : soft;
      target.push(...asset.movements);
    }
  };
  add(condition.gives, flow.gives);
  add(condition.gets, flow.gets);
  return { hard, soft };
}

function sideFits(
  side: FlowSide | null,
  assets: readonly AssetChange[],
  unseen: boolean,
  context: MatchContext,
): boolean {
  if (side === null) return true;
  const token = side.token === null ? undefined : side.token(context);
  if (side.token !== null && token === undefined) return false;
  if (assets.length === 0 && side.max > 0 && side.min > 0) return side.unseen && unseen;
  return countsFit(side, assets, token);
}

function countsFit(side: FlowSide, assets: readonly AssetChange[], token: Value | undefined): boolean {
  let counted = 0;
  for (const asset of assets) {
    if (counts(side, asset) && (token === undefined || (asset.token ?? "native") === token)) counted++;
    else if (!side.others && side.max > 0) return false;
  }
  if (side.max === 0) return assets.length === 0 || (side.kind !== "any" && counted === 0);
  return counted >= side.min && counted <= side.max;
}

function counts(side: FlowSide, asset: AssetChange): boolean {
  if (side.kind === "any") return true;
  return side.kind === "fungible" ? asset.kind !== "nft" : asset.kind === side.kind;
}
