import type { ActorCall } from "../../model/match.ts";
import type { Phrase } from "../../model/phrase.ts";
import type { Ruleset } from "../../ruleset/ruleset.ts";
import { joinPhrases } from "../phrase.ts";
import type { CarriedActs, MessageTools } from "./message-findings.ts";

/** The acts in base form, one after the other: `supply 100 USDC to Aave v3 and send 1 ETH to 0x12…ab`. */
export interface ToldCarried extends Phrase {
  cut: boolean;
}

const actsMax = 3;

export function tellCarried(
  { actions, calls, told, opaque }: CarriedActs,
  ruleset: Ruleset,
  tools: MessageTools,
): ToldCarried {
  const acts = actions.flatMap((action) => tellAct(action, ruleset, tools));
  const others = calls.filter(({ id }) => !told.has(id)).map((call) => tellCall(call, tools));
  const seen = new Map([...acts, ...others].map((phrase) => [phrase.text, phrase]));
  const all = [...seen.values()];
  const shown = all.slice(0, actsMax);
  const more = all.length - shown.length;
  const phrases = more === 0 ? shown : [...shown, tools.teller.say("message.acts_cut", { count: more })];
  return { ...joinPhrases(phrases), cut: more > 0 || opaque };
}

function tellAct(
  { rule, context }: CarriedActs["actions"][number],
  ruleset: Ruleset,
  { writer, teller }: MessageTools,
): Phrase {
  const told = { rule, context, form: "request" as const };
  const phrase = writer.write(rule.does, told);
  if (phrase !== undefined) return phrase;
  const type = ruleset.actions.get(rule.action);
  const act = (type && writer.write(type.does, told)?.text) ?? teller.words("summary.some_act");
  return rule.protocol === null
    ? { text: act, untrusted: false }
    : teller.say("summary.on_protocol", { act, protocol: rule.protocol });
}

function tellCall({ from, to, value }: ActorCall, { writer, names, teller }: MessageTools): Phrase {
  // An account that calls itself changes itself.
  if (to === from) return teller.say("message.own_call", {});
  const called = to === null ? "" : writer.address(to);
  return value === 0n
    ? teller.say("message.some_call", { to: called })
    : teller.say("message.some_call_with", { to: called, amount: names.amount(null, value) });
}
