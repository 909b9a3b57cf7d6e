import { shorten } from "../kernel/address.ts";
import { limits } from "../kernel/limits.ts";
import type { MatchContext } from "../model/match.ts";
import type { ActionType } from "../ruleset/actions.ts";
import type { CompiledRule } from "../ruleset/compiled.ts";
import type { Phrase } from "./asset-names.ts";
import { joinWords, type SentenceWriter } from "./sentence.ts";

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
  /** What could not be seen, as whole sentences; the first is told. */
  missing: readonly string[];
}

/** One to three sentences: the headline, what else happened, what is missing. Never longer than the limit. */
export function summarize(input: SummaryInput, writer: SentenceWriter): Phrase {
  const [headline, ...others] = distinct(input.actions.map((action) => predicateOf(action, input.types, writer)));
  const first = headline ?? {
    subject: "The sender",
    predicate: "did something that could not be decoded",
    untrusted: false,
  };
  const outcome = input.reverted ? ", but the transaction reverted" : "";
  const sentences: Phrase[] = [{ text: `${first.subject} ${first.predicate}${outcome}.`, untrusted: first.untrusted }];
  const also = input.remark === null ? alsoSentence(first.subject, others) : { text: input.remark, untrusted: false };
  if (also !== undefined) sentences.push(also);
  const last = lastSentence(input);
  if (last !== undefined) sentences.push(last);
  return shortenTo(sentences);
}

interface Told {
  subject: string;
  predicate: string;
  untrusted: boolean;
}

/** A rule's sentence without its subject; the action's own words when the template cannot be filled. */
function predicateOf(action: ToldAction, types: ReadonlyMap<string, ActionType>, writer: SentenceWriter): Told {
  const { rule, context } = action;
  const phrase = writer.write(rule, context);
  const subject = shorten(context.subject);
  if (phrase === undefined) {
    const type = types.get(rule.action);
    const what =
      rule.status === "reverted" ? `tried to ${type?.attempt ?? "do something"}` : (type?.did ?? "did something");
    return { subject, predicate: rule.protocol === null ? what : `${what} on ${rule.protocol}`, untrusted: false };
  }
  const text = phrase.text.replace(/\.$/, "");
  if (text.startsWith(`${subject} `))
    return { subject, predicate: text.slice(subject.length + 1), untrusted: phrase.untrusted };
  const [opening = "", ...rest] = text.split(" ");
  return { subject: opening, predicate: rest.join(" "), untrusted: phrase.untrusted };
}

function alsoSentence(subject: string, others: readonly Told[]): Phrase | undefined {
  const own = others.filter((told) => told.subject === subject);
  if (own.length === 0) return undefined;
  const shown = own.slice(0, 2);
  const words = shown.map((told) => told.predicate);
  const rest = own.length - shown.length;
  if (rest > 0) words.push(`took ${rest} more step${rest === 1 ? "" : "s"}`);
  return { text: `It also ${joinWords(words)}.`, untrusted: shown.some((told) => told.untrusted) };
}

function lastSentence(input: SummaryInput): Phrase | undefined {
  if (input.reverted)
    return input.reason === null
      ? { text: "The reason is not known.", untrusted: false }
      : { text: `The reason: ${input.reason.text}.`, untrusted: input.reason.untrusted };
  const first = input.missing[0];
  return first === undefined ? undefined : { text: first, untrusted: false };
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

/** Drops the middle sentence first, then shortens the first at a word. */
function shortenTo(sentences: Phrase[]): Phrase {
  const total = () => sentences.reduce((sum, sentence) => sum + sentence.text.length + 1, -1);
  if (total() > limits.summaryCharsMax && sentences.length === 3) sentences.splice(1, 1);
  const [first] = sentences;
  if (first !== undefined && total() > limits.summaryCharsMax) {
    const room = limits.summaryCharsMax - (total() - first.text.length) - 2;
    first.text = `${first.text.slice(0, Math.max(room, 40)).replace(/\s+\S*$/, "")}….`;
  }
  return {
    text: sentences.map((sentence) => sentence.text).join(" "),
    untrusted: sentences.some((sentence) => sentence.untrusted),
  };
}
