import type { Phrase } from "../../model/phrase.ts";
import { joinPhrases } from "../phrase.ts";
import type { SentenceWriter } from "../sentence.ts";
import type { Teller } from "../teller/teller.ts";
import type { Told } from "../told.ts";
import type { ToldLoss } from "./losses.ts";

/** So many are named and the others counted, so that they drown no loss. */
const namedMax = 3;

/** For whom an account did once more what a sentence tells with the money of both, where no sentence names them. */
export function tellTwins(
  twins: readonly Pick<Told, "rule" | "context">[],
  isSaid: (name: string) => boolean,
  { writer, teller }: { writer: SentenceWriter; teller: Teller },
): ToldLoss[] {
  return [...Map.groupBy(twins, ({ context }) => context.subject)].flatMap(([account, acts]) => {
    const others = othersOf(acts, isSaid, { writer, teller });
    return others === undefined ? [] : [{ account, predicate: teller.say("summary.also_for", { others }) }];
  });
}

/** For whom an account's money did something at a protocol, where no sentence tells it. */
export function tellCredits(
  credits: readonly Pick<Told, "rule" | "context">[],
  isSaid: (name: string) => boolean,
  { writer, teller }: { writer: SentenceWriter; teller: Teller },
): ToldLoss[] {
  return [...Map.groupBy(credits, ({ rule, context }) => `${context.subject}${rule.protocol}`).values()].flatMap(
    (acts) => {
      const [{ rule, context }] = acts as [Pick<Told, "rule" | "context">];
      const others = othersOf(acts, isSaid, { writer, teller });
      if (others === undefined || rule.protocol === null) return [];
      const protocol = { text: rule.protocol, untrusted: false };
      return [{ account: context.subject, predicate: teller.say("summary.acted_for", { others, protocol }) }];
    },
  );
}

/** Those whom acts were for and no sentence names. */
function othersOf(
  acts: readonly Pick<Told, "rule" | "context">[],
  isSaid: (name: string) => boolean,
  { writer, teller }: { writer: SentenceWriter; teller: Teller },
): Phrase | undefined {
  const named = new Map(acts.flatMap((act) => writer.others(act)).map((one) => [one.text, one]));
  const others = [...named.values()].filter(({ text }) => !isSaid(text));
  if (others.length === 0) return undefined;
  const shown = others.slice(0, namedMax);
  if (others.length > shown.length) shown.push(teller.say("value.more", { count: others.length - shown.length }));
  return joinPhrases(shown);
}
