import type { Address } from "../../kernel/address.ts";
import { limits } from "../../kernel/limits.ts";
import type { Phrase } from "../../model/phrase.ts";
import type { ActionType } from "../../rules/ruleset/actions.ts";
import { atKnownPlace } from "../../rules/ruleset/precedence.ts";
import type { Assessment } from "../assess/assess.ts";
import type { Grant } from "../assess/grants/grants.ts";
import type { Burden } from "../ledger/burdens.ts";
import type { ChargedLosses } from "../ledger/fees.ts";
import type { SilentCall } from "../ledger/silent-calls.ts";
import type { Statements } from "../ledger/statements.ts";
import type { Loss } from "../settle/losses.ts";
import { isFilledOrder } from "../settle/payouts/act-payouts.ts";
import type { Settled } from "../settle/settle.ts";
import { isAlike } from "../settle/twins.ts";
import type { AssetNames } from "./amounts/asset-names.ts";
import { type Act, actsMax, cuts, type Room, roomsOf, type SummaryDraft } from "./draft.ts";
import { tellFees } from "./given/fees.ts";
import { isUsedUp, largeAllowancesFirst, tellGrants } from "./given/grants.ts";
import { isToldBeside, type ToldLoss, tellLosses } from "./given/losses.ts";
import { tellPayees } from "./given/payees.ts";
import { type IsSaid, largestFirst, tellBookings, tellTwins } from "./given/twins.ts";
import { type CutPhrase, cutWords, joinPhrases, joinSentences, joinWords, trusted } from "./phrase.ts";
import type { SentenceWriter } from "./sentence.ts";
import type { Teller } from "./teller/teller.ts";
import type { Words } from "./teller/words.ts";
import { distinctActs, type TellingTools, type ToldAct } from "./told-act.ts";

/** At most this many accounts that a call names are told; the rest is counted. */
const namedMax = 2;

/** Tells calls that no act accounts for, as predicates of the account that made them. Those that read the same are told once. */
function tellSilentCalls(
  calls: readonly SilentCall[],
  { teller, nameOf }: Pick<Words, "teller" | "nameOf">,
): ToldLoss[] {
  const told = new Map<string, ToldLoss>();
  for (const { account, to, named } of calls) {
    const contract = nameOf(to);
    const others = named.slice(0, namedMax).map((one: Address) => trusted(nameOf(one)));
    if (named.length > others.length) others.push(teller.say("value.more", { count: named.length - others.length }));
    const predicate =
      named.length === 0
        ? teller.say("summary.called", { contract })
        : teller.say("summary.called_naming", { contract, others: joinPhrases(others) });
    told.set(account + predicate.text, { account, predicate });
  }
  return [...told.values()];
}

export interface SummaryInput extends Pick<Settled, "actions" | "losses" | "payouts" | "twins" | "bookings"> {
  /** Beside these acts: what was paid for services, and the losses without it. */
  withoutFees: (acts: readonly ToldAct[]) => Pick<ChargedLosses, "losses" | "fees">;
  ledger: Statements["ledger"];
  silent: readonly SilentCall[];
  burdens: readonly Burden[];
  assessment: Pick<Assessment, "grants" | "findings">;
  isSpent: (grant: Grant) => boolean;
  types: ReadonlyMap<string, ActionType>;
  alsoOf: TellingTools["alsoOf"];
  withKeepers: TellingTools["withKeepers"];
  reverted: boolean;
  /** Why it reverted, or why what the account wanted inside it failed, in words; null when unknown. */
  reason: Phrase | null;
  /** A sentence about what the actions alone would hide, such as address poisoning. It replaces the further actions. */
  remark: string | null;
  /** What was paid for gas in a token, as a predicate. Always told, so that no paymaster can hide what it takes. */
  fee: Phrase | null;
  /** What could not be seen, as whole sentences. Only the first is told. */
  missing: readonly Phrase[];
  /** What is not known of a call; told where the headline stands alone. */
  purpose: readonly Phrase[];
  /** The block on which a simulation ran, and whether another simulation ended differently; null: the transaction is mined. */
  simulated: { block: number; differs: boolean } | null;
}

/**
 * One to three sentences: the headline, what else happened, what is missing. Never longer than the limit. `cut`: something that an account
 * lost found no room, or the headline did not.
 */
export function summarize(
  input: SummaryInput,
  writer: SentenceWriter,
  { names, teller }: { names: AssetNames; teller: Teller },
): CutPhrase {
  const acting = distinctActs(input.actions, { ...input, writer, teller, request: false });
  const lasting = acting.filter((act) => !isUsedUp(act, input.assessment));
  const ordered = mostFirst(lasting.length > 0 ? lasting : acting, names);
  const { first, told, alike } = withHeadline(largeAllowancesFirst(ordered, input.assessment, names), input, teller);
  const { others, controls, acts } = partActs(told, first);
  const words = { names, teller, writer, nameOf: (address: Address) => writer.address(address) };
  /** Acts of other accounts that are told all the same. */
  const isBeside = (act: ToldAct) =>
    isControl(act) || (act.subject !== first.subject && input.types.get(act.rule.action)?.beside === true);
  /** What there is to say where this many of the other acts are in words: what no shown act tells is told beside them. */
  const draftOf = (shown: number): SummaryDraft => {
    const visible: ToldAct[] = [];
    let left = shown;
    for (const act of told)
      if (act === first || isBeside(act) || isEven(act, alike) || (act.subject === first.subject && left-- > 0))
        visible.push(act);
    const recorded = names.record();
    const priced = input.withoutFees(visible);
    const untold = tellUntold({ ...input, losses: priced.losses }, { visible, told }, words);
    const { grants, calls } = untold;
    const paid = tellFees(priced.fees, first, words);
    const losses = [...paid.others, ...untold.losses];
    const own = losses.filter(({ account }) => account === first.account);
    return {
      first: paid.first,
      controls,
      losses: own,
      counted:
        visible.some((act) => countsLoss(act, input.losses)) ||
        recorded.some(({ counted: left }) => left) ||
        input.silent.some(({ named }) => named.length > 0),
      called: calls.filter(({ account }) => account === first.account).length,
      allowed: grants.filter(({ account }) => account === first.account).length,
      acts: acts.filter((act, i) => i < shown || !isToldBeside(act, { grants, losses: input.losses })),
      beside: besideOf(others.filter(isBeside), losses, { first, teller }),
      remark: input.remark === null ? null : { text: input.remark, untrusted: false },
      fee: input.fee,
      last: lastSentence(input, losses.length === 0 && told.length <= 1, teller),
      must: input.simulated?.differs === true ? teller.say("preview.differs", {}) : null,
      frame: (sentence) => frame(sentence, input, teller),
    };
  };
  for (let shown = Math.min(acts.length, actsMax); shown >= 0; shown--) {
    const draft = draftOf(shown);
    for (const room of roomsOf(draft, shown)) {
      const { text, untrusted } = compose(draft, room, teller);
      if (text.length <= charsMaxOf(input)) return { text, untrusted, cut: cuts(draft, room) };
    }
  }
  return shortest(draftOf(0), charsMaxOf(input), teller);
}

/**
 * What no visible act tells: who was paid, for whom acts were, what was lost, what was put on others, allowances and silent calls. `losses`
 * has all of these, in this order. Anybody can be named in it.
 */
function tellUntold(
  input: SummaryInput,
  { visible, told }: { visible: readonly ToldAct[]; told: readonly ToldAct[] },
  words: Words,
): Record<"losses" | "grants" | "calls", ToldLoss[]> {
  const grants = tellGrants(input.assessment, visible, { ...words, isSpent: input.isSpent });
  const calls = tellSilentCalls(input.silent, words);
  const isSaid = saidBy(visible);
  const counted = told.filter((act) => !visible.includes(act) && visible.some((one) => isAlike(act, one)));
  const losses = [
    ...tellBookings(input.bookings, { isSaid, acts: visible }, words),
    ...tellTwins(input.twins, { isSaid, heads: visible, counted }, words),
    ...tellLosses(input.losses, visible, words),
    ...tellBurdens(input.burdens, words),
    ...grants,
  ];
  const paid = tellPayees(input.payouts, { ...input, acts: visible, told: losses }, words);
  return { losses: [...paid, ...losses, ...calls], grants, calls };
}

/** Whether one of these acts says a name of its own rule. */
function saidBy(acts: readonly ToldAct[]): IsSaid {
  return (name, rule) =>
    acts.some(
      ({ text, rule: { protocol, action } }) =>
        text.includes(name) && (protocol ?? action) === (rule.protocol ?? rule.action),
    );
}

function compose(draft: SummaryDraft, room: Room, teller: Teller, predicate: string = draft.first.predicate): Phrase {
  const { first, beside, must } = draft;
  const told = { text: `${first.subject} ${predicate}`, untrusted: first.untrusted };
  const { text } = draft.frame(told);
  const shown = beside.slice(0, room.beside);
  const left = beside.length - shown.length;
  if (left > 0 && shown.length > 0) shown.push(teller.say("summary.beside_more", { count: left }));
  const clauses = {
    text: shown.map((clause) => clause.text).join("; "),
    untrusted: shown.some((clause) => clause.untrusted),
  };
  const also = alsoSentence(draft, room, teller);
  const besides = shown.length === 0 ? undefined : teller.say("summary.beside", { told: clauses });
  const sentences: Phrase[] = [{ text: `${text}.`, untrusted: told.untrusted }];
  // Losses go before what other accounts did, and both before a remark.
  if (draft.remark !== null && (also === undefined || besides === undefined)) sentences.push(draft.remark);
  for (const sentence of [also, besides, draft.last])
    if (sentence !== undefined && sentences.length < sentencesMax) sentences.push(sentence);
  if (must !== null) sentences.splice(1, 0, must);
  return joinSentences(sentences);
}

/** The acts with the headline among them, and those that it counts. */
function withHeadline(
  told: readonly ToldAct[],
  { reverted, simulated }: SummaryInput,
  teller: Teller,
): { first: Act; told: readonly ToldAct[]; alike: readonly ToldAct[] } {
  // What remains although the transaction reverted (a delegation) is not what was tried.
  const headline = told.find(({ rule }) => !reverted || rule.status === "reverted");
  if (headline === undefined) return { first: undecoded(teller, simulated !== null), told, alike: [] };
  const alike = doneForOthers(headline, told);
  const first = withOthers(headline, alike, teller);
  return { first, told: told.map((act) => (act === headline ? first : act)), alike };
}

/** Acts of the same rule that were done for other accounts. */
function doneForOthers(first: ToldAct, told: readonly ToldAct[]): ToldAct[] {
  if (first.rule.actsFor === null) return [];
  return told.filter(({ rule, account }) => rule.id === first.rule.id && account !== first.account);
}

/** Whether the headline's count states an act: an order that a known contract filled, and that paid the account itself. */
function isEven(act: ToldAct, alike: readonly ToldAct[]): boolean {
  return alike.includes(act) && act.rule.exchanges && isFilledOrder(act);
}

/** A headline with how many other accounts the same was done for. */
function withOthers(first: ToldAct, alike: readonly ToldAct[], teller: Teller): ToldAct {
  const count = new Set(alike.map(({ account }) => account)).size;
  if (count === 0) return first;
  const { text } = teller.say("summary.so_did", { act: first, count });
  return { ...first, text, predicate: text };
}

const sentencesMax = 3;

/** The headline in its sentence: that it happened, that it was tried, or that a simulation showed it. */
function frame(told: Phrase, { reverted, simulated }: SummaryInput, teller: Teller): Phrase {
  if (simulated === null) return reverted ? teller.say("summary.reverted", { told }) : told;
  const ended = reverted ? teller.say("preview.reverted", { told }) : told;
  return teller.say("preview.simulated", { block: simulated.block, told: ended });
}

/** The limit of the summary in characters. A preview may be longer, since words about the simulation come before its headline. */
function charsMaxOf({ simulated }: SummaryInput): number {
  return simulated === null ? limits.summaryCharsMax : limits.previewSummaryCharsMax;
}

/** The shortest summary. The headline is cut at a word where nothing else helps. */
function shortest(draft: SummaryDraft, charsMax: number, teller: Teller): CutPhrase {
  const one = (list: readonly unknown[]) => Math.min(list.length, 1);
  const room: Room = { controls: one(draft.controls), losses: one(draft.losses), acts: 0, beside: one(draft.beside) };
  const { predicate } = draft.first;
  const excess = compose(draft, room, teller).text.length - charsMax;
  const { text, untrusted } = compose(draft, room, teller, cutWords(predicate, Math.max(0, predicate.length - excess)));
  return { text, untrusted, cut: excess > 0 || cuts(draft, room) };
}

function undecoded(teller: Teller, simulated: boolean): Act {
  const predicate = teller.words("summary.undecoded");
  const subject = teller.words(simulated ? "preview.sender" : "summary.sender");
  return { account: null, subject, predicate, text: predicate, untrusted: false };
}

/** Whether an act's sentence only counts an asset that its account lost and that is worth more than a trifle. */
function countsLoss({ account, amounts }: ToldAct, losses: readonly Loss[]): boolean {
  return amounts.some(
    ({ counted, key }) => counted && losses.some((loss) => loss.account === account && loss.asset.key === key),
  );
}

function isControl({ rule }: ToldAct): boolean {
  return rule.control;
}

/** At most this many changes of control over other accounts go before losses. A contract can emit many. */
const controlMax = 2;

/** What other accounts than that of the headline lost, or who else controls them now. */
function besideOf(
  others: readonly ToldAct[],
  losses: readonly { account: Address; predicate: Phrase }[],
  { first, teller }: { first: Act; teller: Teller },
): Phrase[] {
  if (others.length + losses.length === 0) return [];
  const acts = others.filter((act) => act.subject !== first.subject);
  const clauses = acts.map((act) => ({ text: `${act.subject} ${act.predicate}`, untrusted: act.untrusted }));
  return [
    ...clauses.slice(0, controlMax),
    ...losses
      .filter(({ account }) => account !== first.account)
      .map(({ account, predicate }) => ({ ...predicate, text: `${teller.short(account)} ${predicate.text}` })),
    ...clauses.slice(controlMax),
  ];
}

/** What else the subject did: what must be said, the first actions in words, the number of the others, and gas that was paid in a token. */
function alsoSentence(draft: SummaryDraft, room: Room, teller: Teller): Phrase | undefined {
  const { controls, losses, fee } = draft;
  const acts = draft.remark === null ? draft.acts : [];
  if (controls.length + losses.length + acts.length === 0 && fee === null) return undefined;
  const lost = losses
    .slice(0, room.losses)
    .flatMap(({ predicate, clause }) => (clause === undefined ? [predicate] : []));
  const shown = [...controls.slice(0, room.controls), ...lost, ...acts.slice(0, room.acts)];
  // A predicate may start with a note on the subject in brackets, such as "(a Safe)". The first sentence has already said it.
  const words = shown.map(({ text }) => text.replace(/^\([^)]*\) /, ""));
  const went = draft.losses.slice(0, room.losses).flatMap(({ clause }) => clause ?? []);
  const lossesLeft = losses.length - room.losses;
  const calledLeft = Math.min(lossesLeft, draft.called);
  const allowedLeft = Math.min(lossesLeft - calledLeft, draft.allowed);
  const left: [CountedSummary, number][] = [
    ["summary.more_control", controls.length - room.controls],
    ["summary.lost_more", lossesLeft - allowedLeft - calledLeft],
    ["summary.allowed_more", allowedLeft],
    ["summary.called_more", calledLeft],
    ["summary.more_steps", acts.length - room.acts],
  ];
  for (const [says, count] of left) if (count > 0) words.push(teller.say(says, { count }).text);
  if (fee !== null) words.push(fee.text);
  const untrusted = shown.some((told) => told.untrusted) || fee?.untrusted === true;
  const also = { text: joinWords(words), untrusted };
  if (went.length === 0) return teller.say("summary.also", { acts: also });
  const by = { told: joinPhrases(went) };
  return words.length === 0
    ? teller.say("summary.by_this", by)
    : teller.say("summary.by_this_also", { ...by, acts: also });
}

type CountedSummary =
  | "summary.more_control"
  | "summary.lost_more"
  | "summary.allowed_more"
  | "summary.called_more"
  | "summary.more_steps";

function lastSentence(input: SummaryInput, isAlone: boolean, teller: Teller): Phrase | undefined {
  const { reason, reverted, missing, purpose } = input;
  // What could not be seen goes before why a part failed.
  if (!reverted && missing[0] !== undefined) return missing[0];
  if (reason !== null) return teller.say("summary.reason", { reason });
  return reverted ? teller.say("summary.reason_unknown", {}) : isAlone ? purpose[0] : undefined;
}

/** Orders acts where not all can be told: among acts of one kind, those for which most was given come first. */
function mostFirst(told: readonly ToldAct[], names: AssetNames): readonly ToldAct[] {
  const [first] = told;
  if (first === undefined || told.length <= actsMax) return told;
  const alike = new Set(told.slice(1).filter((act) => isAlike(act, first)));
  const ordered = largestFirst([...alike], names);
  return told.map((act) => (alike.has(act) ? (ordered.shift() as ToldAct) : act));
}

/** The acts beside the first one, split into changes of control of the same subject and others. */
function partActs(told: readonly ToldAct[], first: Act): { others: ToldAct[]; controls: ToldAct[]; acts: ToldAct[] } {
  const others: ToldAct[] = [];
  const controls: ToldAct[] = [];
  const acts: ToldAct[] = [];
  for (const act of told) {
    if (act === first) continue;
    others.push(act);
    if (act.subject === first.subject) (isControl(act) ? controls : acts).push(act);
  }
  return { others, controls, acts };
}

/** Tells what was put on accounts that did nothing, as predicates of these accounts. What reads the same is told once. */
function tellBurdens(
  burdens: readonly Burden[],
  { writer, teller, nameOf }: Pick<Words, "writer" | "teller" | "nameOf">,
): ToldLoss[] {
  const told = new Map<string, ToldLoss>();
  for (const { account, rule, context } of burdens) {
    const act = writer.write(rule.does, { rule, context, form: "request" });
    if (act === undefined) continue;
    // Anybody can write a contract whose event names somebody: then it is that contract's word.
    const { log } = context;
    const predicate =
      atKnownPlace(rule) || log === null
        ? teller.say("summary.made_to", { act })
        : teller.say("summary.said_to", { act, contract: nameOf(log.address) });
    told.set(account + predicate.text, { account, predicate });
  }
  return [...told.values()];
}
