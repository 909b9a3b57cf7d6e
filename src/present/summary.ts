import type { Assessment } from "../assess/assess.ts";
import type { Grant } from "../assess/grants/grants.ts";
import type { Address } from "../kernel/address.ts";
import { limits } from "../kernel/limits.ts";
import type { MatchContext } from "../model/match.ts";
import type { Phrase } from "../model/phrase.ts";
import type { ActionType } from "../ruleset/actions.ts";
import type { CompiledRule } from "../ruleset/compiled.ts";
import type { Loss } from "../settle/losses.ts";
import type { AssetNames } from "./amounts/asset-names.ts";
import { tellGrants } from "./given/grants.ts";
import { type TellingAct, tellLosses } from "./given/losses.ts";
import { cutWords, joinSentences, joinWords } from "./phrase.ts";
import type { SentenceWriter } from "./sentence.ts";
import type { Teller } from "./teller.ts";

export interface ToldAction {
  rule: CompiledRule;
  context: MatchContext;
}

export interface SummaryInput {
  actions: readonly ToldAction[];
  assessment: Pick<Assessment, "grants" | "findings">;
  isSpent: (grant: Grant) => boolean;
  /** Receipt positions of the logs that the actions tell. */
  toldLogs: ReadonlySet<number>;
  /** What the principals gave, whether or not an action tells it. */
  losses: readonly Loss[];
  types: ReadonlyMap<string, ActionType>;
  reverted: boolean;
  /** Why it reverted, in words; null when unknown. */
  reason: Phrase | null;
  /** Says what the actions alone would hide; takes the place of the further actions. */
  remark: string | null;
  /** What was paid for gas in a token, as a predicate: always told, so that no paymaster hides what it takes. */
  fee: Phrase | null;
  /** What could not be seen, as whole sentences; the first is told. */
  missing: readonly Phrase[];
}

/** The words, and whether something that an account lost found no room in them. */
export interface Summary extends Phrase {
  cut: boolean;
}

/** One to three sentences: the headline, what else happened, what is missing. Never longer than the limit. */
export function summarize(
  input: SummaryInput,
  writer: SentenceWriter,
  { names, teller }: { names: AssetNames; teller: Teller },
): Summary {
  const told = distinct(input.actions.map((action) => tellAct(action, input.types, writer, teller)));
  // What stands although the transaction reverted is no part of what was tried.
  const headline = told.find(({ rule }) => !input.reverted || rule.status === "reverted");
  const others = told.filter((act) => act !== headline);
  const first = headline ?? undecoded(teller);
  const own = others.filter((act) => act.subject === first.subject);
  const control = own.filter(isControl);
  const words = { names, teller, nameOf: (address: Address) => writer.address(address) };
  const losses = [
    ...tellLosses(input.losses, told, words),
    ...tellGrants(input.assessment, input.toldLogs, { ...words, isSpent: input.isSpent }),
  ];
  const ownLosses = losses.filter(({ account }) => account === first.account).map(({ predicate }) => predicate);
  const draft: Draft = {
    first,
    must: [...control.slice(0, controlMax), ...ownLosses],
    controls: Math.min(control.length, controlMax),
    acts: [...control.slice(controlMax), ...own.filter((act) => !isControl(act))],
    beside: besideOf(others, losses, { first, teller }),
    remark: input.remark === null ? null : { text: input.remark, untrusted: false },
    fee: input.fee,
    last: lastSentence(input, teller),
    reverted: input.reverted,
  };
  for (const room of roomsOf(draft)) {
    const { text, untrusted } = compose(draft, room, teller);
    const cut = room.must < draft.must.length || room.beside < draft.beside.length;
    if (text.length <= limits.summaryCharsMax) return { text, untrusted, cut };
  }
  return shortest(draft, teller);
}

/** What there is to say. */
interface Draft {
  first: Act;
  /** What must not be left out: changes of control, then what was lost. */
  must: readonly Phrase[];
  /** How many of those are changes of control. */
  controls: number;
  acts: readonly Act[];
  /** Whole clauses about other accounts. */
  beside: readonly Phrase[];
  remark: Phrase | null;
  fee: Phrase | null;
  last: Phrase | undefined;
  reverted: boolean;
}

/** How many of each are said in words. */
interface Room {
  must: number;
  acts: number;
  beside: number;
}

/** From everything to the least: first the other acts are counted, then losses. */
function roomsOf({ must, acts, beside }: Draft): Room[] {
  const all = must.length;
  // To say that there was one more step takes no less room than to say which.
  const most = acts.length === 3 && all === 0 ? 3 : Math.max(0, 2 - all);
  return [
    { must: Math.min(all, mustMax), acts: most, beside: Math.min(beside.length, besideMax) },
    { must: Math.min(all, mustMax), acts: Math.min(most, 2), beside: Math.min(beside.length, besideMax) },
    { must: Math.min(all, mustMax), acts: 0, beside: Math.min(beside.length, besideMax) },
    { must: Math.min(all, 2), acts: 0, beside: Math.min(beside.length, 2) },
    { must: Math.min(all, 1), acts: 0, beside: Math.min(beside.length, 1) },
  ];
}

const mustMax = 4;
/** Changes of control that go before losses: a contract can emit many. */
const controlMax = 2;
const besideMax = 4;

function compose(draft: Draft, room: Room, teller: Teller, predicate: string = draft.first.predicate): Phrase {
  const { first, reverted, beside } = draft;
  const told = { text: `${first.subject} ${predicate}`, untrusted: first.untrusted };
  const { text } = reverted ? teller.say("summary.reverted", { told }) : told;
  const shown = beside.slice(0, room.beside);
  const clauses = {
    text: shown.map((clause) => clause.text).join("; "),
    untrusted: shown.some((clause) => clause.untrusted),
  };
  const sentences = [
    { ...told, text: `${text}.` },
    draft.remark ?? alsoSentence(draft, room, teller),
    draft.remark !== null && draft.must.length > 0 ? alsoSentence({ ...draft, acts: [] }, room, teller) : undefined,
    shown.length === 0 ? undefined : teller.say("summary.beside", { told: clauses }),
    draft.last,
  ].filter((sentence) => sentence !== undefined);
  return joinSentences(sentences.slice(0, sentencesMax));
}

const sentencesMax = 3;

/** The first clause is cut at a word where nothing else helps. */
function shortest(draft: Draft, teller: Teller): Summary {
  const room: Room = { must: Math.min(draft.must.length, 1), acts: 0, beside: Math.min(draft.beside.length, 1) };
  const { predicate } = draft.first;
  const excess = compose(draft, room, teller).text.length - limits.summaryCharsMax;
  const { text, untrusted } = compose(draft, room, teller, cutWords(predicate, Math.max(0, predicate.length - excess)));
  const left = room.must < draft.must.length || room.beside < draft.beside.length;
  return { text, untrusted, cut: left };
}

/** An act in words. */
interface Act extends Phrase {
  account: Address | null;
  subject: string;
  predicate: string;
}

interface ToldAct extends Act, TellingAct {}

/** A rule's sentence apart from its subject; the action's own words when it cannot be filled. */
function tellAct(
  action: ToldAction,
  types: ReadonlyMap<string, ActionType>,
  writer: SentenceWriter,
  teller: Teller,
): ToldAct {
  const { rule, context } = action;
  const form = rule.status === "reverted" ? "attempt" : "past";
  const subject = rule.by ?? teller.short(context.subject);
  const known = { rule, context, account: rule.by === null ? context.subject : null, subject };
  const phrase = writer.write(rule.does, { rule, context, form });
  if (phrase !== undefined) return { ...known, ...phrase, predicate: phrase.text };
  const type = types.get(rule.action);
  const plain = type && writer.write(type.does, { rule, context, form });
  const act = plain?.text ?? teller.words("summary.some_act");
  const { protocol } = rule;
  const text = protocol === null ? act : teller.say("summary.on_protocol", { act, protocol }).text;
  return { ...known, text, predicate: text, untrusted: false, amounts: plain?.amounts ?? [] };
}

function undecoded(teller: Teller): Act {
  const predicate = teller.words("summary.undecoded");
  const subject = teller.words("summary.sender");
  return { account: null, subject, predicate, text: predicate, untrusted: false };
}

function isControl({ rule }: ToldAct): boolean {
  return rule.control;
}

/** What other accounts than the headline's lost, or who else controls them now. */
function besideOf(
  others: readonly ToldAct[],
  losses: readonly { account: Address; predicate: Phrase }[],
  { first, teller }: { first: Act; teller: Teller },
): Phrase[] {
  const control = others.filter((act) => act.subject !== first.subject && isControl(act));
  const clauses = control.map((act) => ({ text: `${act.subject} ${act.predicate}`, untrusted: act.untrusted }));
  return [
    ...clauses.slice(0, controlMax),
    ...losses
      .filter(({ account }) => account !== first.account)
      .map(({ account, predicate }) => ({ ...predicate, text: `${teller.short(account)} ${predicate.text}` })),
    ...clauses.slice(controlMax),
  ];
}

/** What else the subject did: what must be said, the first actions in words, the others counted, and its gas where that was a token. */
function alsoSentence({ must, controls, acts, fee }: Draft, room: Room, teller: Teller): Phrase | undefined {
  if (must.length + acts.length === 0 && fee === null) return undefined;
  const shown = [...must.slice(0, room.must), ...acts.slice(0, room.acts)];
  // "0x12…ab (a Safe) did this": what stands in brackets has been said of the subject already.
  const words = shown.map(({ text }) => text.replace(/^\([^)]*\) /, ""));
  const lost = must.length - Math.min(must.length, Math.max(room.must, controls));
  if (lost > 0) words.push(teller.say("summary.lost_more", { count: lost }).text);
  const rest = acts.length - Math.min(acts.length, room.acts) + Math.max(0, controls - room.must);
  if (rest > 0) words.push(teller.say("summary.more_steps", { count: rest }).text);
  if (fee !== null) words.push(fee.text);
  const untrusted = shown.some((told) => told.untrusted) || fee?.untrusted === true;
  return teller.say("summary.also", { acts: { text: joinWords(words), untrusted } });
}

function lastSentence(input: SummaryInput, teller: Teller): Phrase | undefined {
  if (!input.reverted) return input.missing[0];
  const { reason } = input;
  return reason === null ? teller.say("summary.reason_unknown", {}) : teller.say("summary.reason", { reason });
}

function distinct(told: ToldAct[]): ToldAct[] {
  const seen = new Set<string>();
  return told.filter(({ subject, predicate }) => {
    const key = `${subject} ${predicate}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}
