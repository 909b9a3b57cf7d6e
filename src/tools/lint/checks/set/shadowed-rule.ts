import { canonicalJson } from "../../../../kernel/canonical.ts";
import type { Anchor, Gate } from "../../../../rules/ruleset/compiled.ts";
import { type RuleView, relatedTo } from "../../rule-view.ts";
import { conjuncts } from "./condition-clash.ts";
import { hasHashOf, whoOf } from "./overlap.ts";
import { comparePrecedence, pairsOf, type RuleSet, type SetFinding } from "./rule-set.ts";

/** RL705: a rule that can never stand, because another rule fits whenever it fits and goes first on the same log or call. */
export function* checkShadows(set: RuleSet): Generator<SetFinding> {
  const told = new Set<RuleView["entry"]>();
  for (const [key, group] of set.byEvidence) {
    if (key === "none" || key === "transfer") continue;
    for (const [a, b] of pairsOf(group, set)) {
      const order = comparePrecedence(a, b, set.overrides);
      if (a.entry === b.entry || order === 0) continue;
      const [first, second] = order < 0 ? [a, b] : [b, a];
      if (told.has(second.entry) || second.attempt !== null || !asksNoMore(first, second)) continue;
      told.add(second.entry);
      const message = `\`${second.rule.id}\` can never stand: \`${first.rule.id}\` fits whenever it does and goes first`;
      const related = relatedTo(first.file, [...first.at, "id"], `\`${first.rule.id}\` is here`);
      yield [second.file, "RL705", [...second.at, "id"], message, { related }];
    }
  }
}

/** Whether `first` fits whenever `second` does, as far as their texts show. */
function asksNoMore(first: RuleView, second: RuleView): boolean {
  const [a, b] = [first.rule, second.rule];
  if (a.status !== b.status || a.yields || first.attempt !== null || !anchorAsksNoMore(a.anchor, b.anchor))
    return false;
  // The engine believes a call that only calldata shows where money moved as the rule says. So a rule without flow or legs does not fit
  // there.
  return (a.anchor.kind !== "call" || !bare(first) || bare(second)) && asksForLess(first, second);
}

function anchorAsksNoMore(a: Anchor, b: Anchor): boolean {
  // Both have the same evidence key, so these anchors are the same.
  if (a.kind === "authorization" && b.kind === "authorization") return true;
  if (a.kind === "call" && b.kind === "call") return admitsAll(a.gate, b.gate);
  if (a.kind !== "event" || b.kind !== "event" || !admitsAll(a.gate, b.gate)) return false;
  const [one, other] = [a.companion, b.companion];
  if (one === null) return true;
  return other?.call.every((call) => hasHashOf(call, one.call)) === true && admitsAll(one.gate, other.gate);
}

function asksForLess(first: RuleView, second: RuleView): boolean {
  const [one, other] = [first.entry, second.entry];
  const [who, rivals] = [whoOf(first), whoOf(second)];
  if (who.length > 0 && (rivals.length === 0 || !rivals.every((path) => who.includes(path)))) return false;
  if (one.acts_for !== other.acts_for || Object.keys(one.legs ?? {}).length > 0) return false;
  for (const side of ["gives", "gets"] as const) {
    const wanted = one.flow?.[side];
    if (wanted !== undefined && wanted !== "any" && canonicalJson(wanted) !== canonicalJson(other.flow?.[side] ?? null))
      return false;
  }
  const known = new Set(conjuncts(other.where).map(canonicalJson));
  return conjuncts(one.where).every((part) => first.file === second.file && known.has(canonicalJson(part)));
}

function bare({ rule }: RuleView): boolean {
  return rule.flow === null && rule.legs.length === 0;
}

function admitsAll(wide: Gate, narrow: Gate): boolean {
  if (wide.kind === "any") return true;
  if (narrow.kind === "either") return narrow.gates.every((gate) => admitsAll(wide, gate));
  if (wide.kind === "either") return wide.gates.some((gate) => admitsAll(gate, narrow));
  if (wide.kind === "set" && narrow.kind === "set")
    return [...narrow.addresses].every((address) => wide.addresses.has(address));
  return wide.kind === "proof" && narrow.kind === "proof" && wide.member === narrow.member;
}
