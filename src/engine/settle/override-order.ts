import type { CompiledRule } from "../../rules/ruleset/compiled.ts";
import type { OverrideOrder } from "../../rules/ruleset/precedence.ts";
import type { Candidate } from "../match/candidate.ts";

/**
 * Level: the longest chain of rules that override it, so sorting never contradicts `overrides`. With `defers`: the level of the last rule
 * before it.
 */
export function overrideOrder(candidates: readonly Candidate[]): OverrideOrder {
  if (candidates.every(({ rule }) => rule.overrides.length === 0)) return () => 0;
  const rules = new Map(candidates.map(({ rule }) => [rule.id, rule]));
  // The usual case.
  if (!candidates.some(({ rule }) => rule.overrides.some((other) => rules.has(other)))) return () => 0;
  const above = new Map<string, string[]>();
  // Attempts of one rule share its id.
  for (const rule of new Set(candidates.map((one) => one.rule)))
    for (const other of rule.overrides) above.set(other, [...(above.get(other) ?? []), rule.id]);
  const levelOf = (rule: string, depth: number): number =>
    depth > rules.size ? 0 : Math.max(0, ...(above.get(rule) ?? []).map((over) => 1 + levelOf(over, depth + 1)));
  const levels = new Map([...rules.keys()].map((id) => [id, levelOf(id, 0)]));
  for (const rule of [...rules.values()].filter(({ defers }) => defers)) {
    const before = [...rules.values()].filter((other) => goesBefore(other, rule));
    levels.set(rule.id, Math.max(0, ...[rule, ...before].map(({ id }) => levels.get(id) ?? 0)));
  }
  return (one, other) => (levels.get(one.id) ?? 0) - (levels.get(other.id) ?? 0);
}

function goesBefore(other: CompiledRule, deferring: CompiledRule): boolean {
  return !other.defers && other.action === deferring.action && other.tier === deferring.tier;
}
