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

/** Others are counted. */
const partsMax = 3;

type Act = CarriedActs["actions"][number];

interface Part {
  phrase: Phrase;
  /** A change of control, or something that no other part states. */
  first: boolean;
  /** Of too many, the heaviest are stated. */
  weight: bigint;
  /** Wei that its phrase states. */
  ether: bigint;
}

/** Not what only an unknown contract's calldata shows. */
export function ownActs({ actions, through }: SignedCall): readonly Act[] {
  return actions.filter(({ context }) => !through.some(({ ids }) => isAmong(ids, context)));
}

/**
 * In base form, changes of control first. An act that only an unknown contract's calldata shows is stated as what that contract is called
 * for. Ether that no part states comes last.
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
  // Weighs like an unlimited amount.
  const rights = act.rule.tier === tierRank("approval") ? calls : [];
  for (const { to } of rights) worths.push(2n + tools.names.weight({ token: to, amount: unlimitedThreshold }));
  // An act may also name returned ether.
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

/** At most three, the heaviest; equal ones once, with their number. */
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

/** Without a call it is about the account. */
function isAmong(ids: ReadonlySet<number>, { call }: MatchContext): boolean {
  return call !== null && ids.has(call.id);
}
