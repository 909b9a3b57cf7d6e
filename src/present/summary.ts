import { shorten } from "../kernel/address.ts";
import { limits } from "../kernel/limits.ts";
import type { MatchContext } from "../model/match.ts";
import type { Phrase } from "../model/phrase.ts";
import type { ActionType } from "../ruleset/actions.ts";
import type { CompiledRule } from "../ruleset/compiled.ts";
import { joinWords } from "./phrase.ts";
import type { SentenceWriter } from "./sentence.ts";
import type { Teller } from "./teller.ts";

export interface ToldAction {
  rule: CompiledRule;
  context: MatchContext;
}

export interface SummaryInput {
  actions: readonly ToldAction[];
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

/** One to three sentences: the headline, what else happened, what is missing. Never longer than the limit. */
export function summarize(input: SummaryInput, writer: SentenceWriter, teller: Teller): Phrase {
  const [headline, ...others] = distinct(
    input.actions.map((action) => predicateOf(action, input.types, writer, teller)),
  );
  const first = headline ?? {
    subject: teller.words("summary.sender"),
    predicate: teller.words("summary.undecoded"),
    untrusted: false,
  };
  const own = others.filter((told) => told.subject === first.subject);
  const last = lastSentence(input, teller);
  const say = (predicate: string, also: Phrase | undefined): Phrase => {
    const told = { text: `${first.subject} ${predicate}`, untrusted: first.untrusted };
    const { text } = input.reverted ? teller.say("summary.reverted", { told }) : told;
    return joinSentences([{ ...told, text: `${text}.` }, also, last]);
  };
  const remark = input.remark === null ? undefined : { text: input.remark, untrusted: false };
  // To say that there was one more step takes no less room than to say which.
  for (const wordsMax of own.length === 3 ? [3, 2] : [2]) {
    const full = say(first.predicate, remark ?? alsoSentence(own, wordsMax, input.fee, teller));
    if (full.text.length <= limits.summaryCharsMax) return full;
  }
  // Too long: the other actions are counted, and if that is not enough the first is cut at a word.
  const also = remark ?? alsoSentence(own, 0, input.fee, teller);
  const excess = say(first.predicate, also).text.length - limits.summaryCharsMax;
  return say(excess > 0 ? cut(first.predicate, first.predicate.length - excess) : first.predicate, also);
}

interface Told {
  subject: string;
  predicate: string;
  untrusted: boolean;
}

/** A rule's sentence apart from its subject; the action's own words when it cannot be filled. */
function predicateOf(
  action: ToldAction,
  types: ReadonlyMap<string, ActionType>,
  writer: SentenceWriter,
  teller: Teller,
): Told {
  const { rule, context } = action;
  const form = rule.status === "reverted" ? "attempt" : "past";
  const subject = rule.by ?? shorten(context.subject);
  const phrase = writer.write(rule.does, { rule, context, form });
  if (phrase !== undefined) return { subject, predicate: phrase.text, untrusted: phrase.untrusted };
  const type = types.get(rule.action);
  const act = (type && writer.write(type.does, { rule, context, form })?.text) ?? teller.words("summary.some_act");
  const { protocol } = rule;
  const predicate = protocol === null ? act : teller.say("summary.on_protocol", { act, protocol }).text;
  return { subject, predicate, untrusted: false };
}

/** What else the subject did: the first actions in words, the others counted, and its gas where that was a token. */
function alsoSentence(own: readonly Told[], wordsMax: number, fee: Phrase | null, teller: Teller): Phrase | undefined {
  if (own.length === 0 && fee === null) return undefined;
  const shown = own.slice(0, wordsMax);
  // "0x12…ab (a Safe) did this": what stands in brackets has been said of the subject already.
  const words = shown.map((told) => told.predicate.replace(/^\([^)]*\) /, ""));
  const rest = own.length - shown.length;
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

function distinct(told: Told[]): Told[] {
  const seen = new Set<string>();
  return told.filter(({ subject, predicate }) => {
    const key = `${subject} ${predicate}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

/** At most so many characters, the last one an ellipsis; never half a word or half of what is quoted. */
function cut(text: string, charsMax: number): string {
  const words = text.slice(0, charsMax).replace(/\s+\S*$/, "");
  const quotes = words.split('"').length - 1;
  return `${quotes % 2 === 0 ? words : words.slice(0, words.lastIndexOf('"')).trimEnd()}…`;
}

function joinSentences(sentences: readonly (Phrase | undefined)[]): Phrase {
  const said = sentences.filter((sentence) => sentence !== undefined);
  return {
    text: said.map((sentence) => sentence.text).join(" "),
    untrusted: said.some((sentence) => sentence.untrusted),
  };
}
