import { canonicalJson } from "../../../../kernel/canonical.ts";
import type { FunctionItem } from "../../../../rules/abi/signature.ts";
import { conditionOf } from "../../../../rules/ruleset/compile/compile-attempts.ts";
import { listOf } from "../../../../rules/ruleset/compile/scope.ts";
import type { CompiledRule, FlowSide, Gate } from "../../../../rules/ruleset/compiled.ts";
import type { LegEntry } from "../../../../rules/ruleset/document/rule-document.ts";
import type { RuleView } from "../../rule-view.ts";
import { type ConditionNames, conditionsClash, conjuncts, pinDifferentSides, plainNames } from "./condition-clash.ts";

/** A text that is equal for rules which may be tried on the same piece of evidence. */
export function evidenceKey(rule: CompiledRule): string {
  const { anchor } = rule;
  if (anchor.kind === "event") return `event ${anchor.event.hash} ${anchor.event.topics}`;
  if (anchor.kind === "call") return anchor.call === null ? "any call" : `call ${anchor.call.hash}`;
  if (anchor.kind === "authorization") return `authorization ${anchor.clears} ${anchor.signed}`;
  return anchor.kind;
}

/**
 * Whether two rules with the same {@link evidenceKey} may both fit. False where their places, calls, statuses, people, flows, legs or
 * conditions exclude each other.
 */
export function mayBothFit(a: RuleView, b: RuleView): boolean {
  if (a.rule.status !== b.rule.status || !anchorsMeet(a.rule, b.rule)) return false;
  if (a.attempt !== null || b.attempt !== null) return sameCondition(a, b);
  if (a.rule.anchor.kind === "none" && !askAlike(a, b)) return false;
  if (peopleDiffer(a, b) || flowsClash(a.rule, b.rule) || legsClash(a, b)) return false;
  return sameCondition(a, b);
}

function sameCondition(a: RuleView, b: RuleView): boolean {
  const where = (view: RuleView) =>
    conjuncts(view.attempt === null ? view.entry.where : conditionOf(view.entry, view.attempt.attempt));
  const names: [ConditionNames, ConditionNames] = [namesOf(a), namesOf(b)];
  return !conditionsClash(where(a), where(b), names) && !pinDifferentSides(where(a), where(b), names);
}

/** Rules without an anchor are tried on every transaction, so only those that ask for the same things are rivals. */
function askAlike(a: RuleView, b: RuleView): boolean {
  const legs = ({ entry }: RuleView) =>
    Object.values(entry.legs ?? {})
      .map(canonicalJson)
      .sort()
      .join();
  const parts = ({ entry }: RuleView) => new Set(conjuncts(entry.where).map(canonicalJson));
  const [one, other] = [parts(a), parts(b)];
  const [few, many] = one.size <= other.size ? [one, other] : [other, one];
  return legs(a) === legs(b) && [...few].every((part) => many.has(part));
}

function anchorsMeet(a: CompiledRule, b: CompiledRule): boolean {
  const [one, other] = [a.anchor, b.anchor];
  if (one.kind === "event" && other.kind === "event") {
    if (!gatesMeet(one.gate, other.gate)) return false;
    const [beside, rival] = [one.companion, other.companion];
    if (beside === null || rival === null) return true;
    return rival.call.some((call) => hasHashOf(call, beside.call)) && gatesMeet(beside.gate, rival.gate);
  }
  if (one.kind === "call" && other.kind === "call") return gatesMeet(one.gate, other.gate);
  if (one.kind === "transfer" && other.kind === "transfer") {
    const any = one.standards.length === 0 || other.standards.length === 0;
    const standards = any || one.standards.some((name) => other.standards.includes(name));
    return standards && gatesMeet(one.from, other.from) && gatesMeet(one.to, other.to);
  }
  return true;
}

export function hasHashOf({ hash }: FunctionItem, functions: readonly FunctionItem[]): boolean {
  return functions.some((one) => one.hash === hash);
}

/** Whether one address can pass both gates. Different members are taken to be different contracts. */
export function gatesMeet(a: Gate, b: Gate): boolean {
  if (a.kind === "either") return a.gates.some((gate) => gatesMeet(gate, b));
  if (b.kind === "either") return gatesMeet(b, a);
  if (a.kind === "any" || b.kind === "any") return true;
  if (a.kind === "set" && b.kind === "set") return [...a.addresses].some((address) => b.addresses.has(address));
  if (a.kind === "proof" && b.kind === "proof") return a.member === b.member;
  return a.kind === "moved" && b.kind === "moved";
}

/** Whether `who` of two rules has no path in common. Then the subject decides which rule fits. */
function peopleDiffer(a: RuleView, b: RuleView): boolean {
  const [one, other] = [whoOf(a), whoOf(b)];
  return one.length > 0 && other.length > 0 && !one.some((path) => other.includes(path));
}

/** The paths of `who`, as keys that are equal for equal values. */
export function whoOf(view: RuleView): string[] {
  return listOf(view.entry.who).map(namesOf(view).key);
}

/** Whether two rules ask for flows that no transaction can have at once. */
function flowsClash(a: CompiledRule, b: CompiledRule): boolean {
  if (a.flow === null || b.flow === null) return false;
  return sidesClash(a.flow.gives, b.flow.gives) || sidesClash(a.flow.gets, b.flow.gets);
}

function sidesClash(a: FlowSide | null, b: FlowSide | null): boolean {
  if (a === null || b === null) return false;
  return forbids(a, b) || forbids(b, a) || (a.kind === b.kind && (a.max < b.min || b.max < a.min));
}

/** Whether side `a` excludes the assets that side `b` needs. */
function forbids(a: FlowSide, b: FlowSide): boolean {
  if (b.min === 0) return false;
  return a.max === 0 ? covers(a.kind, b.kind) : !a.others && !covers(a.kind, b.kind) && !covers(b.kind, a.kind);
}

/** Whether every asset of kind `b` is also of kind `a`. */
function covers(a: FlowSide["kind"], b: FlowSide["kind"]): boolean {
  return a === "any" || a === b || (a === "fungible" && (b === "native" || b === "erc20"));
}

/** Whether the rules have two legs about the same amount or token with different parties. A real contract emits one or the other. */
function legsClash(a: RuleView, b: RuleView): boolean {
  const legsOf = (view: RuleView) => Object.values(view.entry.legs ?? {}).filter((leg) => !leg.optional);
  return legsOf(a).some((one) => legsOf(b).some((other) => legClash(one, other)));
}

function legClash(one: LegEntry, other: LegEntry): boolean {
  const same = (field: keyof LegEntry) => one[field] !== undefined && one[field] === other[field];
  const differ = (field: keyof LegEntry) =>
    one[field] !== undefined && other[field] !== undefined && one[field] !== other[field];
  const bare = [one, other].every(({ token, amount }) => token === undefined && amount === undefined);
  const apart = differ("from") || differ("to") || standardsDiffer(one, other);
  const mintsAndBurns = (one.from === "zero" && other.to === "zero") || (one.to === "zero" && other.from === "zero");
  return ((same("token") || same("amount") || same("id") || bare) && apart) || mintsAndBurns;
}

/** Whether two legs have no token standard in common. A leg without `standards` may have any. */
function standardsDiffer({ standards: some }: LegEntry, { standards: others }: LegEntry): boolean {
  return some !== undefined && others !== undefined && !some.some((name) => others.includes(name));
}

/** Whether two rules read exactly the same evidence in the same way. */
export function sameEvidence(a: RuleView, b: RuleView): boolean {
  return canonicalJson(evidenceOf(a)) === canonicalJson(evidenceOf(b));
}

/** Fields of a rule that say what its evidence means, not which evidence it needs. */
const meaning: readonly string[] = ["id", "action", "does", "capture", "attempts", "overrides", "defers", "survives"];

function evidenceOf({ entry, rule, attempt }: RuleView): unknown {
  if (attempt === null) return Object.fromEntries(Object.entries(entry).filter(([field]) => !meaning.includes(field)));
  const selector = rule.anchor.kind === "call" && rule.anchor.call?.hash;
  return ["attempt", selector, conditionOf(entry, attempt.attempt) ?? null];
}

/** Names for conditions of two files: arguments of the anchor are keyed by position, because two files may name them differently. */
export function namesOf(view: RuleView): ConditionNames {
  const { anchor } = view.rule;
  const inputs =
    anchor.kind === "event" ? anchor.event.inputs : anchor.kind === "call" ? anchor.call?.inputs : undefined;
  return {
    ...plainNames(view.file.scope),
    key: (path) => {
      const [root, name = "", ...rest] = path.split(".");
      const index = root === "args" ? (inputs?.names.indexOf(name) ?? -1) : -1;
      return index < 0 ? path : ["args", String(index), ...rest].join(".");
    },
  };
}
