import { heaviestFirst } from "../../../kernel/lists.ts";
import type { Phrase } from "../../../model/phrase.ts";
import type { Movement } from "../../../model/transaction.ts";
import type { CompiledRule } from "../../../rules/ruleset/compiled.ts";
import { paymentFor } from "../../settle/twins.ts";
import type { AssetNames } from "../amounts/asset-names.ts";
import { joinPhrases } from "../phrase.ts";
import type { SentenceWriter } from "../sentence.ts";
import type { Words } from "../teller/words.ts";
import type { Told } from "../told.ts";
import type { ToldLoss } from "./losses.ts";
import type { TellingAct } from "./told-amounts.ts";

/** Others are counted: a long list must not hide a loss. */
const namedMax = 3;

type Twin = Pick<Told, "context"> & Parameters<SentenceWriter["others"]>[0];
/** Its sentence may include twins' money. */
type Head = Twin & { rule: Pick<CompiledRule, "id" | "protocol" | "action"> };
/** In a sentence about the same protocol and action type. */
export type IsSaid = (name: string, rule: Pick<CompiledRule, "protocol" | "action">) => boolean;
type TwinTools = Pick<Words, "writer" | "teller" | "names">;

/** For whom twins were, where a sentence has only their money. `counted`: acts whose money no sentence states. */
export function tellTwins(
  twins: readonly Head[],
  { isSaid, heads, counted }: { isSaid: IsSaid; heads: readonly Head[]; counted: readonly Head[] },
  tools: TwinTools,
): ToldLoss[] {
  const { writer, teller } = tools;
  const openOf = (act: Head): Phrase[] => {
    const head = counted.includes(act) ? undefined : heads.find((one) => isOfSame(one, act));
    const { chain, isOwn } = writer.place(act);
    const others = writer.others(act);
    // Not by search: a token may have the name of a chain.
    const away = head && chain && writer.place(head).chain?.text !== chain.text ? chain : undefined;
    // The headline is about others, this act for the account itself.
    if (others.length === 0 && (away || (isOwn && head && writer.others(head).length > 0)))
      others.push(teller.say(isOwn ? "value.itself" : "value.an_account", {}));
    if (away === undefined) return others.filter(({ text }) => !isSaid(text, act.rule));
    return others.map((other) => teller.say("value.on_chain", { other, chain: away }));
  };
  const all = [...twins, ...counted];
  if (all.length === 0) return [];
  return [...Map.groupBy(all, ({ context }) => context.subject)].flatMap(([account, acts]) => {
    const others = othersOf(acts, openOf, tools);
    return others === undefined ? [] : [{ account, predicate: teller.say("summary.also_for", { others }) }];
  });
}

/** Same account and rule. */
function isOfSame(one: Head, other: Head): boolean {
  return one.rule.id === other.rule.id && one.context.subject === other.context.subject;
}

/** For whom an account's money was used, if no sentence says. */
export function tellBookings(
  bookings: readonly Head[],
  { isSaid, acts: told }: { isSaid: IsSaid; acts: readonly Pick<TellingAct, "amounts">[] },
  tools: TwinTools,
): ToldLoss[] {
  if (bookings.length === 0) return [];
  return [...Map.groupBy(bookings, ({ rule, context }) => `${context.subject}${rule.protocol}`).values()].flatMap(
    (parts) => {
      const [{ rule, context }] = parts as [Head];
      const openOf = (act: Twin) => tools.writer.others(act).filter(({ text }) => !isSaid(text, rule));
      // The money of a single one, which an act states, is not stated again.
      const isStated = ({ token, amount }: Movement) =>
        parts.length === 1 &&
        told.some(({ amounts }) => amounts.some((one) => one.key === (token ?? "native") && one.amount === amount));
      const others = othersOf(parts, openOf, { ...tools, isStated });
      if (others === undefined || rule.protocol === null) return [];
      const protocol = { text: rule.protocol, untrusted: false };
      return [{ account: context.subject, predicate: tools.teller.say("summary.acted_for", { others, protocol }) }];
    },
  );
}

/** With the seen payment for each. */
function othersOf<Act extends Twin>(
  acts: readonly Act[],
  openOf: (act: Act) => Phrase[],
  { writer, teller, names, isStated }: TwinTools & { isStated?: (paid: Movement) => boolean },
): Phrase | undefined {
  const told = largestFirst(acts, names).flatMap((act) => {
    // Shares of several people are unknown.
    const paid = writer.others(act).length < 2 ? paymentFor(act, true) : null;
    return openOf(act).map((other) => ({ other, paid }));
  });
  const open = [...Map.groupBy(told, ({ other }) => other.text).values()];
  if (open.length === 0) return undefined;
  const shown = open.slice(0, namedMax).map((parts) => {
    const [{ other, paid }] = parts as [(typeof told)[number]];
    if (!paid || isStated?.(paid) || parts.some((one) => one.paid?.token !== paid.token || one.paid.tokenId !== null))
      return other;
    const sum = parts.reduce((total, one) => total + (one.paid?.amount ?? 0n), 0n);
    return teller.say("value.part_of", { other, amount: names.amount(paid.token, sum) });
  });
  if (open.length > shown.length) shown.push(teller.say("value.more", { count: open.length - shown.length }));
  return joinPhrases(shown);
}

/** Small acts added by others hide nobody. */
export function largestFirst<Act extends Pick<Told, "context">>(acts: readonly Act[], names: AssetNames): Act[] {
  if (acts.length < 2) return [...acts];
  const paid = new Map(acts.map((act) => [act, paymentFor(act)]));
  return heaviestFirst(
    heaviestFirst(acts, (act) => paid.get(act)?.amount ?? 0n),
    (act) => {
      const move = paid.get(act);
      return move ? names.weight(move) : -1n;
    },
  );
}
