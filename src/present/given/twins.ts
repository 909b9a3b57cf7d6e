import { compareAmounts } from "../../kernel/amount.ts";
import { paymentFor } from "../../settle/twins.ts";
import type { AssetNames } from "../amounts/asset-names.ts";
import { joinPhrases } from "../phrase.ts";
import type { SentenceWriter } from "../sentence.ts";
import type { Teller } from "../teller/teller.ts";
import type { Told } from "../told.ts";
import type { ToldLoss } from "./losses.ts";

/** So many are named and the others counted, so that they drown no loss. */
const namedMax = 3;

type Twin = Pick<Told, "context"> & Parameters<SentenceWriter["others"]>[0];

/** For whom an account did once more what a sentence tells with the money of both, where no sentence names them. */
export function tellTwins(
  twins: readonly Twin[],
  isSaid: (name: string) => boolean,
  { writer, teller, names }: { writer: SentenceWriter; teller: Teller; names: AssetNames },
): ToldLoss[] {
  return [...Map.groupBy(twins, ({ context }) => context.subject)].flatMap(([account, acts]) => {
    const named = new Map(
      largestFirst(acts, names)
        .flatMap((act) => writer.others(act))
        .map((one) => [one.text, one]),
    );
    const others = [...named.values()].filter(({ text }) => !isSaid(text));
    if (others.length === 0) return [];
    const shown = others.slice(0, namedMax);
    if (others.length > shown.length) shown.push(teller.say("value.more", { count: others.length - shown.length }));
    return [{ account, predicate: teller.say("summary.also_for", { others: joinPhrases(shown) }) }];
  });
}

/** Acts by what the account is seen to have paid for them: whoever adds small ones names no other before whom most was for. */
export function largestFirst<Act extends Pick<Told, "context">>(acts: readonly Act[], names: AssetNames): Act[] {
  if (acts.length < 2) return [...acts];
  const weighed = acts.map((act) => {
    const paid = paymentFor(act);
    const [weight, amount] = paid ? [names.weight(paid), paid.amount] : [-1n, 0n];
    return { act, weight, amount };
  });
  weighed.sort((a, b) => compareAmounts(b.weight, a.weight) || compareAmounts(b.amount, a.amount));
  return weighed.map(({ act }) => act);
}
