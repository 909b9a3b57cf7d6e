import { compareAmounts } from "../../kernel/amount.ts";
import type { Phrase } from "../../model/phrase.ts";
import { paymentFor } from "../../settle/twins.ts";
import type { AssetNames } from "../amounts/asset-names.ts";
import { joinPhrases } from "../phrase.ts";
import type { SentenceWriter } from "../sentence.ts";
import type { Words } from "../teller/words.ts";
import type { Told } from "../told.ts";
import type { ToldLoss } from "./losses.ts";

/** So many are named and the others counted, so that they drown no loss. */
const namedMax = 3;

type Twin = Pick<Told, "context"> & Parameters<SentenceWriter["others"]>[0];
type TwinTools = Pick<Words, "writer" | "teller" | "names">;

/** For whom an account did once more what a sentence tells with the money of both, where no sentence names them. */
export function tellTwins(
  twins: readonly Twin[],
  isSaid: (name: string) => boolean,
  { writer, teller, names }: TwinTools,
): ToldLoss[] {
  return [...Map.groupBy(twins, ({ context }) => context.subject)].flatMap(([account, acts]) => {
    const others = othersOf(acts, isSaid, { writer, teller, names });
    return others === undefined ? [] : [{ account, predicate: teller.say("summary.also_for", { others }) }];
  });
}

/** For whom an account's money did something at a protocol, where no sentence tells it. */
export function tellCredits(
  credits: readonly (Twin & Pick<Told, "rule">)[],
  isSaid: (name: string) => boolean,
  tools: TwinTools,
): ToldLoss[] {
  return [...Map.groupBy(credits, ({ rule, context }) => `${context.subject}${rule.protocol}`).values()].flatMap(
    (acts) => {
      const [{ rule, context }] = acts as [Twin & Pick<Told, "rule">];
      const others = othersOf(acts, isSaid, tools);
      if (others === undefined || rule.protocol === null) return [];
      const protocol = { text: rule.protocol, untrusted: false };
      return [{ account: context.subject, predicate: tools.teller.say("summary.acted_for", { others, protocol }) }];
    },
  );
}

/** Those whom acts were for and no sentence names, with what is seen to have been paid for each. */
function othersOf(
  acts: readonly Twin[],
  isSaid: (name: string) => boolean,
  { writer, teller, names }: TwinTools,
): Phrase | undefined {
  const told = largestFirst(acts, names).flatMap((act) =>
    // Of several, it is not known whom how much was for.
    writer.others(act).map((other, _, all) => ({ other, paid: all.length === 1 ? paymentFor(act, true) : null })),
  );
  const open = [...Map.groupBy(told, ({ other }) => other.text)].filter(([name]) => !isSaid(name));
  if (open.length === 0) return undefined;
  const shown = open.slice(0, namedMax).map(([, parts]) => {
    const [{ other, paid }] = parts as [(typeof told)[number]];
    if (!paid || parts.some((one) => one.paid?.token !== paid.token || one.paid.tokenId !== null)) return other;
    const sum = parts.reduce((total, one) => total + (one.paid?.amount ?? 0n), 0n);
    return teller.say("value.part_of", { other, amount: names.amount(paid.token, sum) });
  });
  if (open.length > shown.length) shown.push(teller.say("value.more", { count: open.length - shown.length }));
  return joinPhrases(shown);
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
