import { limits } from "../../../kernel/limits.ts";
import type { RefusalReason } from "../../../model/case-file.ts";
import type { ActorCall } from "../../../model/match.ts";
import type { Phrase } from "../../../model/phrase.ts";
import { state } from "../../../rules/ruleset/wording/phrases.ts";
import type { Grant } from "../../assess/grants/grants.ts";
import { leafCalls } from "../../unwrap/call-tree.ts";
import type { Findings } from "../findings.ts";
import { type CutPhrase, joinPhrases, joinSentences } from "../phrase.ts";
import type { Words } from "../teller/words.ts";
import type { ToldAct } from "../told-act.ts";

/** By its calldata. */
export interface RequestInput extends Pick<Findings, "tx" | "subject">, Pick<Words, "names" | "teller" | "nameOf"> {
  /** Headline first. */
  acts: readonly ToldAct[];
  grants: readonly Grant[];
  /** Ids of calls that the acts state. */
  told: { has(call: number): boolean };
  calls: readonly ActorCall[];
  /** Nodes would reject it; null: no known reason. */
  refusal: RefusalReason | null;
}

/** With each request alone, in base form. */
interface ToldRequest extends CutPhrase {
  asks: Phrase[];
}

/** One to three: what the account is asked to do, what in others' names, and that nobody simulated it. */
export function tellRequest(input: RequestInput): ToldRequest {
  const { teller, acts } = input;
  const subject = acts[0]?.subject ?? teller.short(input.subject);
  const sender = teller.short(input.tx.from);
  const asks = asksOf(input, subject);
  const others = acts.filter((act) => act.subject !== subject);
  for (let shown = asks.length; shown >= 0; shown--)
    for (const beside of new Set([others.length, 0])) {
      const { text, untrusted } = compose(input, { sender, subject, asks, shown, others: others.slice(0, beside) });
      if (text.length <= limits.previewSummaryCharsMax || shown + beside === 0)
        return {
          text,
          untrusted,
          asks: asks.slice(0, limits.asksMax),
          cut: shown < asks.length || beside < others.length,
        };
    }
  return { ...teller.say("preview.unsimulated", {}), asks, cut: true };
}

interface Room {
  sender: string;
  subject: string;
  asks: readonly Phrase[];
  shown: number;
  others: readonly ToldAct[];
}

function compose({ teller, refusal }: RequestInput, { sender, subject, asks, shown, others }: Room): Phrase {
  const more = asks.length - shown;
  const told = [...asks.slice(0, shown), ...(more === 0 ? [] : [teller.say("preview.asks_more", { count: more })])];
  const predicate =
    asks.length === 0
      ? teller.say("preview.asks_unknown", {})
      : sender === subject
        ? teller.say("preview.asks", { acts: joinPhrases(told) })
        : teller.say("preview.asks_account", { account: subject, acts: joinPhrases(told) });
  const beside = others.map((act) =>
    teller.say("preview.beside", {
      sender: act.subject,
      told: teller.say("preview.asks", { acts: { text: act.text, untrusted: act.untrusted } }),
    }),
  );
  return joinSentences([
    { text: `${sender} ${predicate.text}.`, untrusted: predicate.untrusted },
    ...beside,
    refusal === null
      ? teller.say("preview.unsimulated", {})
      : teller.say("preview.refused", { reason: state(`refusal.${refusal}`, {}) }),
  ]);
}

/** Acts, then other rights, calls and ether. */
function asksOf(input: RequestInput, subject: string): Phrase[] {
  const open = openCalls(input);
  const calls = counted(callsOf(open, input), input);
  // The same call is stated with its ether.
  const isSaid = (text: string) => calls.some((call) => call.text.startsWith(`${text} `));
  const acts = input.acts.filter((act) => act.subject === subject).map(({ text, untrusted }) => ({ text, untrusted }));
  const asks = [...counted(acts, input), ...delegations(input), ...grantsOf(input), ...calls, ...etherOf(open, input)];
  const seen = new Set<string>();
  return asks.filter(({ text }) => !isSaid(text) && !seen.has(text) && seen.add(text));
}

/** Equal ones once, with their number. */
function counted(asks: readonly Phrase[], { teller }: RequestInput): Phrase[] {
  return [...Map.groupBy(asks, ({ text }) => text).values()].flatMap(([told, ...more]) =>
    told && more[0] ? teller.say("message.times", { told, count: more.length + 1 }) : (told ?? []),
  );
}

function delegations({ tx, acts, teller, nameOf }: RequestInput): Phrase[] {
  return tx.authorizations
    .filter((one) => !acts.some(({ context }) => context.authorization === one))
    .map(({ delegate }) => teller.say("preview.delegate", { delegate: nameOf(delegate) }));
}

function grantsOf({ grants, told, names, teller, nameOf }: RequestInput): Phrase[] {
  return grants.flatMap(({ call, grantee, token, amount }) => {
    if (call !== undefined && told.has(call)) return [];
    const spender = nameOf(grantee);
    return amount === null
      ? teller.say("preview.allow_all", { spender, collection: nameOf(token) })
      : teller.say("preview.allow", { spender, amount: names.allowance(token, amount) });
  });
}

/** A call that no act states. */
interface OpenCall {
  call: ActorCall;
  /** Holds calls. An unknown contract need not do what its calldata says. */
  holds: boolean;
}

/** Innermost calls without an act, and calls to unknown contracts that hold others. */
function openCalls({ calls, told, teller, nameOf }: RequestInput): OpenCall[] {
  const leaves = new Set(leafCalls(calls));
  return calls.flatMap((call) => {
    const { id, from, to, step } = call;
    const holds = !leaves.has(call);
    if (to === null || step !== null || (!holds && told.has(id))) return [];
    return holds && (to === from || nameOf(to) !== teller.short(to)) ? [] : { call, holds };
  });
}

/** Not where its right is stated. */
function callsOf(open: readonly OpenCall[], { grants, names, teller, nameOf }: RequestInput): Phrase[] {
  return open.flatMap(({ call: { id, to, value }, holds }) => {
    if (to === null || (!holds && grants.some(({ call }) => call === id))) return [];
    const called = { to: nameOf(to) };
    const through = holds ? [teller.say("preview.through", called)] : [];
    if (value > 0n)
      return [teller.say("preview.call_with", { ...called, amount: names.amount(null, value) }), ...through];
    return holds ? through : teller.say("preview.call", called);
  });
}

/** Carried by the sender's calls, beyond acts and calls. */
function etherOf(open: readonly OpenCall[], { tx, acts, calls, names, teller }: RequestInput): Phrase[] {
  let left = 0n;
  for (const { from, to, step, value } of calls) if (from === tx.from && to !== from && step === null) left += value;
  for (const { amounts } of acts) for (const { key, amount } of amounts) if (key === "native") left -= amount;
  for (const { call } of open) left -= call.value;
  return left > 0n ? [teller.say("preview.send_along", { amount: names.amount(null, left) })] : [];
}
