import type { Address } from "../../../kernel/address.ts";
import { unlimitedThreshold } from "../../../kernel/amount.ts";
import { heaviestFirst } from "../../../kernel/lists.ts";
import type { ActorCall, MatchContext } from "../../../model/match.ts";
import type { Phrase } from "../../../model/phrase.ts";
import { tierRank } from "../../../rules/ruleset/actions.ts";
import { controlRank } from "../../../rules/ruleset/control.ts";
import type { Ruleset } from "../../../rules/ruleset/ruleset.ts";
import { type CutPhrase, joinPhrases } from "../phrase.ts";
import { type CarriedTools, tellAct, tellCall } from "./carried-acts.ts";
import type { CarriedActs, SignedCall } from "./message-findings.ts";

/** A sentence tells at most this many parts in words and counts the rest. */
const partsMax = 3;

type Act = CarriedActs["actions"][number];

/** One part of what a carried call asks for. */
interface Part {
  phrase: Phrase;
  /** Whether it comes before all other parts: a change of control, or something that no other part tells. */
  first: boolean;
  /** If there are too many parts, the heaviest are told. */
  weight: bigint;
  /** Wei that its phrase already tells as sent. */
  ether: bigint;
}

/** Acts that the account does itself or through known contracts. Acts that only an unknown contract's calldata shows are left out. */
export function ownActs({ actions, through }: SignedCall): readonly Act[] {
  return actions.filter(({ context }) => !through.some(({ ids }) => isAmong(ids, context)));
}

/**
 * Tells what the call of a message asks for, in base form. Changes of control come first. If only the calldata of an unknown contract shows
 * an act, it is told as what that contract is called for. Ether that no part tells is added at the end.
 */
export function tellSignedCall(signed: SignedCall, ruleset: Pick<Ruleset, "actions">, tools: CarriedTools): CutPhrase {
  const { actions, told, through, sent, opaque } = signed;
  const { names, teller } = tools;
  const calls = signed.calls.filter(({ id }) => !told.has(id));
  const partsOf = (acts: readonly Act[], bare: readonly ActorCall[]): Part[] => [
    ...acts.map((act) => actPart(act, signed.asked.get(act.context) ?? [], ruleset, tools)),
    ...bare.map((call) => callPart(call, tellCall(call, tools))),
  ];
  const outside = calls.filter(({ id }) => !through.some(({ ids }) => ids.has(id)));
  const parts = partsOf(ownActs(signed), outside);
  for (const { call, ids } of through) {
    const acts = actions.filter(({ context }) => isAmong(ids, context));
    const inside = listParts(
      partsOf(
        acts,
        calls.filter(({ id }) => ids.has(id)),
      ),
      tools,
    );
    parts.push(callPart(call, teller.say("message.through", { call: tellCall(call, tools), acts: inside })));
  }
  const left = sent - parts.reduce((sum, { ether }) => sum + ether, 0n);
  if (left > 0n) {
    const phrase = teller.say("preview.send_along", { amount: names.amount(null, left) });
    parts.push({ phrase, first: true, weight: left, ether: 0n });
  }
  const whole = listParts(parts, tools);
  return { ...whole, cut: whole.cut || opaque };
}

function actPart(act: Act, calls: readonly ActorCall[], ruleset: Pick<Ruleset, "actions">, tools: CarriedTools): Part {
  const { amounts = [], ...phrase } = tellAct(act, ruleset, tools);
  const isEther = ({ key }: { key: string }) => key === "native";
  const worths = amounts.map((one) =>
    tools.names.weight({ token: isEther(one) ? null : (one.key.slice(0, 42) as Address), amount: one.amount }),
  );
  // An allowance weighs as much as an unlimited amount of its token.
  const rights = act.rule.tier === tierRank("approval") ? calls : [];
  for (const { to } of rights) worths.push(2n + tools.names.weight({ token: to, amount: unlimitedThreshold }));
  // Not more than the calls carry: an act may also name ether that comes back.
  const most = calls.reduce((sum, { value }) => sum + value, 0n);
  const said = amounts.filter(isEther).reduce((sum, { amount }) => sum + amount, 0n);
  return {
    phrase,
    first: act.rule.controlRank < controlRank(null),
    weight: worths.reduce((sum, worth) => sum + worth, 0n),
    ether: said < most ? said : most,
  };
}

function callPart({ from, to, value }: ActorCall, phrase: Phrase): Part {
  return { phrase, first: to === from, weight: value, ether: value };
}

/** Joins at most three parts, the heaviest where there are more. Equal parts are told once, with their number. */
function listParts(parts: readonly Part[], { teller }: Pick<CarriedTools, "teller">): CutPhrase {
  const same = Map.groupBy(parts, ({ phrase }) => phrase.text);
  const all = [...same.values()].map((some) => ({ ...(some[0] as Part), times: some.length }));
  const heaviest = all.length <= partsMax ? all : heaviestFirst(all, ({ weight }) => weight);
  const ordered = [...heaviest.filter(({ first }) => first), ...heaviest.filter(({ first }) => !first)];
  const phrases = ordered
    .slice(0, partsMax)
    .map(({ phrase, times }) => (times === 1 ? phrase : teller.say("message.times", { told: phrase, count: times })));
  const more = all.length - phrases.length;
  const told = joinPhrases(more === 0 ? phrases : [...phrases, teller.say("message.acts_cut", { count: more })]);
  return { ...told, cut: more > 0 };
}

/** Whether an act is about one of these calls. An act without a call is about the account itself. */
function isAmong(ids: ReadonlySet<number>, { call }: MatchContext): boolean {
  return call !== null && ids.has(call.id);
}
