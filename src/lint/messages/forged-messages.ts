import { isDeepStrictEqual } from "node:util";
import type { MessageDecision } from "../../model/told/message-explanation.ts";
import { listOf } from "../../ruleset/compile/scope.ts";
import { isMessageEntry, type MessageEntry, type RepeatedEntry } from "../../ruleset/document/message-entry.ts";
import type { MessageRule } from "../../ruleset/message-rule.ts";
import { TypedDataError } from "../../typed-data/typed-data-error.ts";
import { people } from "../examples/given-names.ts";
import { entriesOf, type UsableFile } from "../rule-view.ts";
import type { GivenTypedData, MessageCase } from "./given-message.ts";

/** What came of a message: the answer, or why it was refused. */
export type MessageOutcome = MessageDecision | TypedDataError;

/** Ways to forge a message, and what each one is. */
export const messageForgeries = {
  "foreign-verifier": "a contract that nobody knows is to check the signature",
  "other-chain": "the message is for another chain, or for any",
  "other-type": "the struct has a member more, or one of another name",
  "endless-right": "what is allowed is the largest number there is",
  "for-nothing": "nothing is asked for in return",
  "diverted-return": "what is asked for in return goes to a stranger",
} as const;

export type MessageForgery = keyof typeof messageForgeries;

/** One forged message: whoever still reads the rule's meaning into it, or does not tell what it does, is deceived. */
export interface ForgedMessage {
  kind: MessageForgery;
  change: string;
  message: MessageCase;
  /** What is wrong with what came of it; null when the forgery had no effect. */
  judge(outcome: MessageOutcome): string | null;
}

/** Forges an example in which a rule stands. */
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

function foreign(rule: MessageRule, edit: Edit): ForgedMessage[] {
  const message = edit(({ domain }) => {
    domain.verifyingContract = people.stranger as string;
  });
  return [{ kind: "foreign-verifier", change: "a stranger's contract checks it", message, judge: judgeStanding(rule) }];
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
    { kind: "other-chain", change: "it is for chain 1", message: other, judge: refused },
    {
      kind: "other-chain",
      change: "it names no chain",
      message: none,
      judge: rule.everyChain ? tellsChains : judgeStanding(rule),
    },
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
    { kind: "other-type", change: "its first member has another name", message: renamed, judge },
    ...(open ? [] : [{ kind: "other-type" as const, change: "it has a member more", message: added, judge }]),
  ];
}

/** The rule must not stand, nor may its protocol be named as the one that is asked for. */
function judgeStanding(rule: MessageRule): ForgedMessage["judge"] {
  return (outcome) => {
    if (outcome instanceof TypedDataError) return null;
    if (outcome.rule?.id === rule.id) return "the rule still stands";
    const { protocol } = rule;
    // What is quoted, and addresses, are nobody's words.
    const asked = outcome.explanation.summary
      .replace(/ The contract that would check the signature is .*$/, "")
      .replace(/"[^"]*"|0x[0-9a-fA-F]{4}…/g, "");
    return protocol !== null && outcome.rule === null && asked.includes(protocol)
      ? "the protocol is still named"
      : null;
  };
}

/** What must be told whatever the rule's sentence is: rights without limit, and orders that bring nothing. */
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
  const forged: ForgedMessage[] = [];
  // A list may hold none of them.
  const untouched = rights.every(({ each }) => each !== undefined) && isDeepStrictEqual(unlimited, edit(keep));
  if (rights.length > 0 && !untouched)
    forged.push({
      kind: "endless-right",
      change: "all that is allowed has no limit",
      message: unlimited,
      judge: tellsUnlimited,
    });
  if (gets.length > 0 && gets.every(({ amount, nft }) => amount !== undefined && nft === undefined))
    forged.push({
      kind: "for-nothing",
      change: "nothing is asked for in return",
      message: nothing,
      judge: tellsNothing,
    });
  if (gets.length > 0 && gets.every(({ to }) => to !== undefined))
    forged.push({
      kind: "diverted-return",
      change: "a stranger gets the return",
      message: diverted,
      judge: tellsNothing,
    });
  return forged;
}

function tellsUnlimited(outcome: MessageOutcome): string | null {
  if (outcome instanceof TypedDataError) return null;
  const { summary, risk_flags } = outcome.explanation;
  if (!risk_flags.some(({ flag }) => flag === "unlimited_approval")) return "no flag tells that there is no limit";
  return /\b(?:unlimited|all)\b/.test(summary) ? null : "the sentence does not tell that there is no limit";
}

function tellsNothing(outcome: MessageOutcome): string | null {
  if (outcome instanceof TypedDataError) return null;
  const { summary, risk_flags } = outcome.explanation;
  if (!risk_flags.some(({ flag }) => flag === "gives_for_nothing")) return "no flag tells that nothing comes back";
  return summary.includes("nothing") ? null : "the sentence does not tell that nothing comes back";
}

/** What a rule says that a message gives; of one that is made of parts, what the rule of the parts says. */
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

/** The lists on the way to a value of an element: of parallel ones, the one that it stands in. */
function stepsTo(each: RepeatedEntry["each"], path: string | undefined): (string | undefined)[] {
  if (typeof each !== "object") return [each, path];
  const [root, name = "", ...rest] = path?.split(".") ?? [];
  return root === "item" ? [each.zip[name], ["item", ...rest].join(".")] : [path];
}

/** Sets the value at a path of a rule in the message, below the lists before it; `max` is the largest number of its type. */
function setAt(data: GivenTypedData, paths: readonly (string | undefined)[], value: string): void {
  const steps = paths.flatMap((path) => (path === undefined ? [] : ["*", ...path.split(".").slice(1)])).slice(1);
  const visit = (type: string, node: unknown, [step, ...rest]: string[]): void => {
    if (step === undefined || node === null || typeof node !== "object") return;
    const item = /^(.*)\[\d*\]$/.exec(type)?.[1];
    const inner = item ?? data.types[type]?.find(({ name }) => name === step)?.type ?? "";
    const holder = node as Record<string, unknown>;
    const [view, start, bytes] = rest;
    if (step === "*" && rest.length > 0) for (const key of Object.keys(holder)) visit(inner, holder[key], rest);
    else if (step === "*")
      for (const key of Object.keys(holder)) holder[key] = value === "max" ? largest(inner) : value;
    else if (view === "uintAt" && value === "max")
      holder[step] = filledAt(String(holder[step]), Number(start), Number(bytes));
    else if (rest.length > 0) visit(inner, holder[step], rest);
    else holder[step] = value === "max" ? largest(inner) : value;
  };
  visit(data.primaryType, data.message, steps);
}

const keep = () => {};

/** Hex with the largest number at some of its bytes, where it has them. */
function filledAt(hex: string, start: number, bytes: number): string {
  const [from, to] = [2 + start * 2, 2 + (start + bytes) * 2];
  return to > hex.length ? hex : hex.slice(0, from) + "f".repeat(to - from) + hex.slice(to);
}

function largest(type: string): string {
  const bits = Number(/^uint(\d+)$/.exec(type)?.[1] ?? 256);
  return ((1n << BigInt(bits)) - 1n).toString();
}
