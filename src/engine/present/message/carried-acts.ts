import type { ActorCall, MatchContext } from "../../../model/match.ts";
import type { Phrase } from "../../../model/phrase.ts";
import type { Ruleset } from "../../../rules/ruleset/ruleset.ts";
import { type CutPhrase, joinPhrases } from "../phrase.ts";
import type { Sentence } from "../sentence.ts";
import type { CarriedActs, MessageTools } from "./message-findings.ts";

const actsMax = 3;

/** `within`: acts inside these acts' calls, by outer context. */
export interface CarriedTools extends MessageTools {
  within?: ReadonlyMap<MatchContext, readonly CarriedActs[]>;
}

/** Base form, joined: `supply 100 USDC to Aave v3 and send 1 ETH to 0x12…ab`. `cut`: no room, or unreadable. */
export function tellCarried(
  carried: readonly CarriedActs[],
  ruleset: Pick<Ruleset, "actions">,
  tools: CarriedTools,
): CutPhrase {
  const told = carried.flatMap(({ actions, calls, told: ids }) => [
    ...actions.map((action) => tellAct(action, ruleset, tools)),
    ...calls.filter(({ id }) => !ids.has(id)).map((call) => tellCall(call, tools)),
  ]);
  const opaque = carried.some((one) => one.opaque);
  const seen = new Map(told.map((phrase) => [phrase.text, phrase]));
  const all = [...seen.values()];
  const shown = all.slice(0, actsMax);
  const more = all.length - shown.length;
  const phrases = more === 0 ? shown : [...shown, tools.teller.say("message.acts_cut", { count: more })];
  return { ...joinPhrases(phrases), cut: more > 0 || opaque };
}

/** Base form, with its amounts. */
export function tellAct(
  { rule, context }: CarriedActs["actions"][number],
  ruleset: Pick<Ruleset, "actions">,
  tools: CarriedTools,
): Phrase & Partial<Sentence> {
  const { writer, teller } = tools;
  const also = alsoCarried(context, ruleset, tools);
  const told = { rule, context, form: "request" as const, ...(also && { also }) };
  const phrase = writer.write(rule.does, told);
  if (phrase !== undefined) return phrase;
  const type = ruleset.actions.get(rule.action);
  const act = (type && writer.write(type.does, told)?.text) ?? teller.words("summary.some_act");
  return rule.protocol === null
    ? { text: act, untrusted: false }
    : teller.say("summary.on_protocol", { act, protocol: rule.protocol });
}

/** Words for `{call}`; undefined: no inner calls. */
export function alsoCarried(
  context: MatchContext,
  ruleset: Pick<Ruleset, "actions">,
  tools: CarriedTools,
): ReadonlyMap<string, Phrase> | undefined {
  const inner = tools.within?.get(context);
  if (inner === undefined) return undefined;
  const told = tellCarried(inner, ruleset, tools);
  return told.text === "" ? undefined : new Map([["call", told]]);
}

/** A call without an act, in base form. */
export function tellCall({ from, to, value }: ActorCall, { writer, names, teller }: CarriedTools): Phrase {
  // It can change its own settings.
  if (to === from) return teller.say("message.own_call", {});
  const called = to === null ? "" : writer.address(to);
  return value === 0n
    ? teller.say("preview.call", { to: called })
    : teller.say("preview.call_with", { to: called, amount: names.amount(null, value) });
}
