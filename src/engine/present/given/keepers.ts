import { heaviestFirst } from "../../../kernel/lists.ts";
import type { Phrase } from "../../../model/phrase.ts";
import type { Kept } from "../../ledger/keepers.ts";
import { joinPhrases } from "../phrase.ts";
import type { Words } from "../teller/words.ts";

/** At most this many are named; the rest is counted. */
const namedMax = 2;

/** The weight of a trifle: see `weigherOf`. */
const trifleWeight = 1n;

/** Adds to an act who has its money in the end. Those whom the act names already are left out. */
export function tellKeepers(
  act: Phrase,
  kept: readonly Kept[],
  { names, teller, nameOf }: Pick<Words, "names" | "teller" | "nameOf">,
): Phrase {
  const open = kept.filter((one) => names.weight(one) !== trifleWeight && !act.text.includes(nameOf(one.keeper)));
  if (open.length === 0) return act;
  const parts = [
    ...Map.groupBy(
      heaviestFirst(open, (asset) => names.weight(asset)),
      ({ keeper }) => keeper,
    ),
  ];
  const holders = parts
    .slice(0, namedMax)
    .map(([keeper, assets]) => teller.say("summary.has", { holder: nameOf(keeper), amount: names.list(assets) }));
  if (parts.length > holders.length) holders.push(teller.say("value.more", { count: parts.length - holders.length }));
  return teller.say("summary.kept", { act, holders: joinPhrases(holders) });
}
