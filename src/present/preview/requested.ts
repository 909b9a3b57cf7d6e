import type { Grant } from "../../assess/grants/grants.ts";
import { limits } from "../../kernel/limits.ts";
import type { RefusalReason } from "../../model/case-file.ts";
import type { ActorCall } from "../../model/match.ts";
import type { Phrase } from "../../model/phrase.ts";
import { state } from "../../ruleset/wording/phrases.ts";
import type { Findings } from "../findings.ts";
import { type CutPhrase, joinPhrases, joinSentences } from "../phrase.ts";
import type { Words } from "../teller/words.ts";
import type { ToldAct } from "../told-act.ts";

/** What a transaction that nobody ran asks for, as far as its calldata says. */
export interface RequestInput extends Pick<Findings, "tx" | "subject">, Pick<Words, "names" | "teller" | "nameOf"> {
  /** The told acts, the headline first. */
  acts: readonly ToldAct[];
  grants: readonly Grant[];
  /** Ids of calls that the acts tell. */
  told: { has(call: number): boolean };
  /** Innermost calls. */
  calls: readonly ActorCall[];
  /** Why no node would take it. */
  refusal: RefusalReason | null;
}

/** The sentences, and each thing that is asked for on its own, in base form. */
interface ToldRequest extends CutPhrase {
  asks: Phrase[];
}

/** One to three sentences: everything that the account is asked to do, what is asked in others' names, and that nobody simulated it. */
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

/** Acts first, then rights, calls and ether that no act tells. */
function asksOf(input: RequestInput, subject: string): Phrase[] {
  const calls = callsOf(input);
  // "call 0x12…ab" is said with its ether.
  const isSaid = (text: string) => calls.some((call) => call.text.startsWith(`${text} `));
  const asks = [
    ...input.acts.filter((act) => act.subject === subject).map(({ text, untrusted }) => ({ text, untrusted })),
    ...delegations(input),
    ...grantsOf(input),
    ...calls,
    ...etherOf(input),
  ];
  const seen = new Set<string>();
  return asks.filter(({ text }) => !isSaid(text) && !seen.has(text) && seen.add(text));
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

/** Calls that no rule knows. A right that is told needs no word for its call. */
function callsOf({ calls, told, grants, names, teller, nameOf, tx }: RequestInput): Phrase[] {
  const granting = new Set(grants.map(({ call }) => call));
  const found = calls.flatMap(({ id, to, value }) => {
    if (to === null || told.has(id) || granting.has(id)) return [];
    const called = nameOf(to);
    return value === 0n
      ? teller.say("preview.call", { to: called })
      : teller.say("preview.call_with", { to: called, amount: names.amount(null, value) });
  });
  // What is inside of a call is what its calldata says. A contract that nobody knows need not do any of it.
  const stranger =
    tx.to !== null && tx.to !== tx.from && calls.every(({ id }) => id !== 0) && nameOf(tx.to) === teller.short(tx.to);
  return stranger && tx.to !== null ? [...found, teller.say("preview.through", { to: nameOf(tx.to) })] : found;
}

/** The envelope's own ether, unless the acts and calls tell just as much. */
function etherOf({ tx, acts, calls, told, names, teller }: RequestInput): Phrase[] {
  if (tx.value === 0n) return [];
  const byActs = acts.flatMap(({ amounts }) =>
    amounts.filter(({ key }) => key === "native").map(({ amount }) => amount),
  );
  const byCalls = calls.filter(({ id }) => !told.has(id)).map(({ value }) => value);
  const sum = [...byActs, ...byCalls].reduce((total, amount) => total + amount, 0n);
  return sum === tx.value ? [] : [teller.say("preview.send_along", { amount: names.amount(null, tx.value) })];
}
