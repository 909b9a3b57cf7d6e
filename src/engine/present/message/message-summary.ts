import { limits } from "../../../kernel/limits.ts";
import type { Phrase } from "../../../model/phrase.ts";
import type { Part } from "../../../rules/ruleset/compile/template.ts";
import type { MatchedMessage } from "../../match/messages/match-message.ts";
import type { GivenRight } from "../../match/messages/signed-offer.ts";
import type { ToldAmount } from "../amounts/asset-names.ts";
import { timeText, yearTenThousand } from "../amounts/measure.ts";
import { type CutPhrase, cutWords, joinPhrases, joinSentences } from "../phrase.ts";
import type { Sentence } from "../sentence.ts";
import { tellReturn } from "./asked-return.ts";
import type { MessageFindings, MessageTools } from "./message-findings.ts";
import { tellFields } from "./signed-fields.ts";

/** Others are counted. */
const rightsMax = 3;

/** One to three: the request, further rights, where it is valid. */
export function summarizeMessage(findings: MessageFindings, carried: CutPhrase | null, tools: MessageTools): CutPhrase {
  const { matched, domain, signer, account } = findings;
  const { teller } = tools;
  const act = matched === undefined ? tellUnknown(findings, tools) : tellMatched(matched, carried, tools);
  const endless = matched !== undefined && isEndless(matched);
  const end = matched === undefined ? null : lastEnd(matched);
  const asked = (said: Phrase): Phrase => {
    let told = teller.say("message.asked", { signer: teller.short(signer), act: said });
    if (endless) told = teller.say("message.endless", { told });
    else if (end !== null) told = teller.say("message.until", { told, date: timeText(end) });
    if (account !== signer) told = teller.say("message.in_name", { told, account: teller.short(account) });
    if (matched !== undefined) told = tellReturn(told, matched, tools);
    return { ...told, text: `${told.text}.` };
  };
  const besides = matched === undefined ? checkedBy(findings, tools) : untold(matched, act.amounts, tools);
  if (matched?.open) besides.push(tellWitness(findings, tools));
  const others = domain.chainId === null ? [...besides.slice(0, 1), teller.say("message.no_chain", {})] : besides;
  const whole = joinSentences([asked(act), ...others]);
  if (whole.text.length <= limits.summaryCharsMax) return { ...whole, cut: false };
  const room = Math.max(0, act.text.length - (whole.text.length - limits.summaryCharsMax));
  return { ...joinSentences([asked({ ...act, text: cutWords(act.text, room) }), ...others]), cut: true };
}

/** It has a field for its end but never expires, and the sentence is silent. */
function isEndless({ rule, context, rights }: MatchedMessage): boolean {
  const isTime = (part: Part) =>
    typeof part === "object" && part.kind === "value" && rule.captures.get(part.capture)?.kind === "time";
  const isSaid = rule.does.parts.some(
    (part) =>
      typeof part === "object" &&
      part.kind === "clause" &&
      part.alternatives.length > 1 &&
      part.alternatives[0]?.some(isTime),
  );
  const times = [...rule.captures.values()].map((one) => (one.kind === "time" ? one.get(context) : null));
  const ends = [...times, ...rights.map(({ until }) => until)];
  return !isSaid && ends.some((one) => typeof one === "bigint" && one >= yearTenThousand);
}

/** Unix seconds, where the sentence has none; null: one has no end. */
function lastEnd({ rule, rights, listed }: MatchedMessage): bigint | null {
  const isSaid = [...rule.captures.values()].some(({ kind }) => kind === "time");
  const ends = rights.flatMap(({ until }) => until ?? []);
  if (isSaid || !listed || ends.length < rights.length) return null;
  return ends.reduce<bigint | null>((last, end) => (end > (last ?? 0n) ? end : last), null);
}

/** Of unknown parts: three by name, others counted. */
function tellWitness({ witness }: MessageFindings, { teller, writer }: MessageTools): Phrase {
  const names = witness.slice(0, rightsMax).map((one) => ({ text: writer.address(one), untrusted: false }));
  const more = witness.length - names.length;
  if (names.length === 0) return teller.say("message.witness_nobody", {});
  return teller.say("message.witness", {
    others: joinPhrases(more === 0 ? names : [...names, teller.say("value.more", { count: more })]),
  });
}

/** Or the action's words where it cannot be filled. */
function tellMatched(
  { rule, context, rights, parts }: MatchedMessage,
  carried: CutPhrase | null,
  tools: MessageTools,
): Sentence {
  const { teller, writer, types } = tools;
  const also = new Map<string, Phrase>();
  const allowed = rights.filter(({ amount }) => amount !== null);
  if (allowed.length > 0) also.set("allowed", tellAmounts(allowed, tools));
  if (carried !== null) also.set("call", carried);
  if (parts !== null) also.set("parts", { text: parts, untrusted: false });
  const told = { rule, context, form: "request" as const, also };
  const phrase = writer.write(rule.does, told);
  if (phrase !== undefined) return phrase;
  const type = types?.get(rule.action);
  const text = (type && writer.write(type.does, told)?.text) ?? teller.words("summary.some_act");
  return { text, untrusted: false, amounts: [] };
}

function tellAmounts(rights: readonly GivenRight[], { names, teller }: MessageTools): Phrase {
  const shown = rights.slice(0, rightsMax).map((right) => tellRight(right, names));
  const rest = rights.length - shown.length;
  return joinPhrases(rest === 0 ? shown : [...shown, teller.say("asset.more", { count: rest })]);
}

function tellRight({ token, amount, endless, id }: GivenRight, names: MessageTools["names"]): Phrase {
  if (amount === null) return id === null ? names.name(token) : names.nft(token, id, 1n);
  return endless ? names.unlimited(token) : names.allowance(token, amount);
}

/** The first, and the number of others. */
function untold(
  { rights, rule, listed }: MatchedMessage,
  amounts: readonly ToldAmount[],
  tools: MessageTools,
): Phrase[] {
  // `{allowed}` names the first and counts the others.
  if (rule.does.text.includes("{allowed}")) return [];
  const { names, teller, writer } = tools;
  const isTold = ({ token, amount, endless, id }: GivenRight) =>
    endless || amount === null || names.isUnlimited(token, amount)
      ? !listed
      : amounts.some((one) => one.key === (id === null ? token : `${token}:${id}`) && one.amount >= amount);
  const left = rights.filter((right) => !isTold(right));
  const [first] = left;
  if (first === undefined) return [];
  const spender = writer.address(first.spender);
  const said = teller.say("message.also_allows", { spender, amount: tellRight(first, names) });
  return left.length === 1 ? [said] : [said, teller.say("message.more_allowed", { count: left.length - 1 })];
}

function tellUnknown(findings: MessageFindings, tools: MessageTools): Sentence {
  const { type, fields } = tellFields(findings, tools);
  const { teller } = tools;
  const told =
    fields === null ? teller.say("message.unknown", { type }) : teller.say("message.unknown_fields", { type, fields });
  return { ...told, amounts: [] };
}

function checkedBy({ domain }: MessageFindings, { teller, writer }: MessageTools): Phrase[] {
  const { verifyingContract } = domain;
  return verifyingContract === null
    ? [teller.say("message.unchecked", {})]
    : [teller.say("message.checked_by", { contract: writer.address(verifyingContract) })];
}
