import { isDeepStrictEqual } from "node:util";
import type { MessageDecision } from "../../../model/told/message-explanation.ts";
import { listOf } from "../../../rules/ruleset/compile/scope.ts";
import {
  isMessageEntry,
  type MessageEntry,
  type RepeatedEntry,
} from "../../../rules/ruleset/document/message-entry.ts";
import type { MessageRule } from "../../../rules/ruleset/message-rule.ts";
import { TypedDataError } from "../../../rules/typed-data/typed-data-error.ts";
import { people } from "../examples/given-names.ts";
import { entriesOf, type UsableFile } from "../rule-view.ts";
import type { GivenTypedData, MessageCase } from "./given-message.ts";

/** The answer, or the refusal. */
export type MessageOutcome = MessageDecision | TypedDataError;

export const messageForgeries = {
  "foreign-verifier": "a contract that nobody knows is to check the signature",
  "other-chain": "the message is for another chain, or for any",
  "other-type": "the struct has a member more, or one of another name",
  "endless-right": "what is allowed is the largest number there is",
  "for-nothing": "nothing is asked for in return",
  "diverted-return": "what is asked for in return goes to a stranger",
} as const;

export type MessageForgery = keyof typeof messageForgeries;

/** A rule that still fits, or an answer that hides what the message does, is deceived. */
export interface ForgedMessage {
  kind: MessageForgery;
  change: string;
  message: MessageCase;
  /** How; null: not deceived. */
  judge(outcome: MessageOutcome): string | null;
}

/** Forges a message in which the rule fits. */
export function forgeMessages(message: MessageCase, rule: MessageRule, file: UsableFile): ForgedMessage[] {
  const edit = (change: (data: GivenTypedData) => void): MessageCase => {
    const typed_data = structuredClone(message.typed_data);
    change(typed_data);
    return { ...message, typed_data };
  };
  return [
    ...(rule.strength === 0 ? [] : foreign(rule, edit)),
    ...otherChains(rule, edit),
    ...otherTypes(rule, edit),
    ...tellings(rule, file, edit),
  ];
}

type Edit = (change: (data: GivenTypedData) => void) => MessageCase;
type Judge = ForgedMessage["judge"];

function forged(kind: MessageForgery, change: string, message: MessageCase, judge: Judge): ForgedMessage {
  return { kind, change, message, judge };
}

function foreign(rule: MessageRule, edit: Edit): ForgedMessage[] {
  const message = edit(({ domain }) => {
    domain.verifyingContract = people.stranger as string;
  });
  return [forged("foreign-verifier", "a stranger's contract checks it", message, judgeStanding(rule))];
}

function otherChains(rule: MessageRule, edit: Edit): ForgedMessage[] {
  const other = edit(({ domain }) => {
    domain.chainId = 1;
  });
  const none = edit(({ domain }) => {
    delete domain.chainId;
  });
  const tellsChains = (outcome: MessageOutcome) =>
    outcome instanceof TypedDataError || outcome.explanation.risk_flags.some(({ flag }) => flag === "no_chain")
      ? null
      : "no flag tells that it names no chain";
  const refused = (outcome: MessageOutcome) =>
    outcome instanceof TypedDataError && outcome.code === "other_chain" ? null : "it is not refused";
  return [
    forged("other-chain", "it is for chain 1", other, refused),
    forged("other-chain", "it names no chain", none, rule.everyChain ? tellsChains : judgeStanding(rule)),
  ];
}

function otherTypes(rule: MessageRule, edit: Edit): ForgedMessage[] {
  const judge = judgeStanding(rule);
  const { name, open } = rule.message;
  const renamed = edit(({ types, message }) => {
    const [first] = types[name] ?? [];
    if (first === undefined) return;
    message[`${first.name}_`] = message[first.name];
    types[name] = [{ ...first, name: `${first.name}_` }, ...(types[name] ?? []).slice(1)];
  });
  const added = edit(({ types, message }) => {
    types[name]?.push({ name: "added", type: "uint256" });
    message.added = "1";
  });
  return [
    forged("other-type", "its first member has another name", renamed, judge),
    ...(open ? [] : [forged("other-type", "it has a member more", added, judge)]),
  ];
}

/** The rule must not fit, and the summary must not name its protocol as the one that asks. */
function judgeStanding(rule: MessageRule): Judge {
  return (outcome) => {
    if (outcome instanceof TypedDataError) return null;
    if (outcome.rule?.id === rule.id) return "the rule still stands";
    const { protocol } = rule;
    // Quoted texts, addresses and the sentence about the verifying contract do not count.
    const asked = outcome.explanation.summary
      .replace(/ The contract that would check the signature is .*$/, "")
      .replace(/"[^"]*"|0x[0-9a-fA-F]{4}…/g, "");
    return protocol !== null && outcome.rule === null && asked.includes(protocol)
      ? "the protocol is still named"
      : null;
  };
}

/** What must be stated in any case: rights without limit, orders that bring nothing. */
function tellings(rule: MessageRule, file: UsableFile, edit: Edit): ForgedMessage[] {
  const entry = giving(rule.id, file);
  if (entry === undefined) return [];
  const { parts } = entry;
  const rights = listOf(entry.allows).filter(({ amount, id }) => amount !== undefined && id === undefined);
  const unlimited = edit((data) => {
    for (const { each, amount } of rights) setAt(data, [parts, ...stepsTo(each, amount)], "max");
  });
  const gets = listOf(entry.gets);
  const nothing = edit((data) => {
    for (const { each, amount, nft } of gets)
      if (nft === undefined) for (const one of listOf(amount)) setAt(data, [parts, ...stepsTo(each, one)], "0");
  });
  const diverted = edit((data) => {
    for (const { each, to } of gets)
      if (to !== undefined) setAt(data, [parts, ...stepsTo(each, to)], people.stranger as string);
  });
  const all: ForgedMessage[] = [];
  // A list of rights may be empty in the example.
  const untouched = rights.every(({ each }) => each !== undefined) && isDeepStrictEqual(unlimited, edit(keep));
  if (rights.length > 0 && !untouched)
    all.push(forged("endless-right", "all that is allowed has no limit", unlimited, tellsUnlimited));
  if (gets.length > 0 && gets.every(({ amount, nft }) => amount !== undefined && nft === undefined))
    all.push(forged("for-nothing", "nothing is asked for in return", nothing, tellsNothing));
  if (gets.length > 0 && gets.every(({ to }) => to !== undefined))
    all.push(forged("diverted-return", "a stranger gets the return", diverted, tellsNothing));
  return all;
}

/** The answer must have the flag, and the summary the words. */
function telling(flag: string, words: RegExp, something: string): Judge {
  return (outcome) => {
    if (outcome instanceof TypedDataError) return null;
    const { summary, risk_flags } = outcome.explanation;
    if (!risk_flags.some((one) => one.flag === flag)) return `no flag tells that ${something}`;
    return words.test(summary) ? null : `the sentence does not tell that ${something}`;
  };
}

const tellsUnlimited = telling("unlimited_approval", /\b(?:unlimited|all)\b/, "there is no limit");
const tellsNothing = telling("gives_for_nothing", /nothing/, "nothing comes back");

/** The entry that says what is given; of a message made of parts, in the rule of the parts. */
function giving(
  id: string,
  file: UsableFile,
): (Partial<Omit<MessageEntry, "parts">> & { parts: string | undefined }) | undefined {
  const entries = entriesOf(file);
  const entry = entries.find((one) => one.id === id)?.entry;
  if (entry === undefined || !isMessageEntry(entry)) return undefined;
  if (entry.parts === undefined) return { ...entry, parts: undefined };
  const inner = entries.find(({ entry: one }) => one.id === entry.parts?.rule)?.entry;
  return inner && { ...inner, parts: entry.parts.each };
}

/** First to the list, then inside the element; of parallel lists (`zip`) the one with the value. */
function stepsTo(each: RepeatedEntry["each"], path: string | undefined): (string | undefined)[] {
  if (typeof each !== "object") return [each, path];
  const [root, name = "", ...rest] = path?.split(".") ?? [];
  return root === "item" ? [each.zip[name], ["item", ...rest].join(".")] : [path];
}

/** `paths`: lists on the way, then inside the element. `max`: the largest number. */
function setAt(data: GivenTypedData, paths: readonly (string | undefined)[], value: string): void {
  const steps = paths.flatMap((path) => (path === undefined ? [] : ["*", ...path.split(".").slice(1)])).slice(1);
  const visit = (type: string, node: unknown, [step, ...rest]: string[]): void => {
    if (step === undefined || node === null || typeof node !== "object") return;
    const item = /^(.*)\[\d*\]$/.exec(type)?.[1];
    const inner = item ?? data.types[type]?.find(({ name }) => name === step)?.type ?? "";
    const holder = node as Record<string, unknown>;
    const [view, start, bytes] = rest;
    for (const key of step === "*" ? Object.keys(holder) : [step])
      if (step !== "*" && view === "uintAt" && value === "max")
        holder[key] = filledAt(String(holder[key]), Number(start), Number(bytes));
      else if (rest.length > 0) visit(inner, holder[key], rest);
      else holder[key] = value === "max" ? largest(inner) : value;
  };
  visit(data.primaryType, data.message, steps);
}

const keep = () => {};

/** Bytes set to 0xff; unchanged where too short. */
function filledAt(hex: string, start: number, bytes: number): string {
  const [from, to] = [2 + start * 2, 2 + (start + bytes) * 2];
  return to > hex.length ? hex : hex.slice(0, from) + "f".repeat(to - from) + hex.slice(to);
}

function largest(type: string): string {
  const bits = Number(/^uint(\d+)$/.exec(type)?.[1] ?? 256);
  return ((1n << BigInt(bits)) - 1n).toString();
}
