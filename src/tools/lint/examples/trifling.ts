import { weigherOf } from "../../../engine/money/weight.ts";
import type { CaseFile } from "../../../model/case-file.ts";
import { type TrialWorld, tryCase } from "../trial.ts";

/**
 * Whether all that the account of the rule's act gave, or all that it got, are trifles of ether and listed tokens. Forgeries that divert
 * money are not made of such a side, because a loss of a trifle need not be told.
 */
export function movesTrifles(caseFile: CaseFile, id: string, world: TrialWorld): boolean {
  const action = tryCase(caseFile, world).actions.find(({ rule }) => rule.id === id);
  if (action === undefined) return false;
  const weigh = weigherOf(caseFile, world.labels);
  const { gives, gets } = action.context.flow;
  return [gives, gets].some(
    (side) => side.length > 0 && side.every((asset) => asset.kind !== "nft" && weigh(asset) === 1n),
  );
}
