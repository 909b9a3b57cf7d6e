import { decide } from "../../../engine/spine.ts";
import { canonicalJson } from "../../../kernel/canonical.ts";
import { listOf } from "../../../rules/ruleset/compile/scope.ts";
import { parsePhrase } from "../../../rules/ruleset/compile/template.ts";
import { attemptsOf } from "../../../rules/ruleset/document/attempt-entry.ts";
import type { Ruleset } from "../../../rules/ruleset/ruleset.ts";
import { deriveAttemptCases } from "../examples/attempt-case.ts";
import type { LintFinding, PlacedEntry, UsableFile } from "../rule-view.ts";
import type { ExampleWorld } from "../world.ts";
import { conjuncts } from "./set/condition-clash.ts";

/** RL607: an attempt that can never be told, because an earlier attempt of the same rule fits whenever this one fits. */
export function* checkSpareAttempts({ entry, at }: PlacedEntry): Generator<LintFinding> {
  const seen: { key: string; asks: ReadonlySet<string> }[] = [];
  for (const { attempt, callPath } of attemptsOf(entry)) {
    const asks = new Set(conjuncts(attempt.where).map(canonicalJson));
    const place = canonicalJson(attempt.at ?? null);
    for (const call of listOf(attempt.call)) {
      const key = `${call} ${place} ${attempt.acts_for}`;
      const spare = seen.some((one) => one.key === key && [...one.asks].every((part) => asks.has(part)));
      const message = `\`${call}\` is never told by this attempt: one before it fits whenever it does`;
      if (spare) yield ["RL607", [...at, ...callPath], message];
      seen.push({ key, asks });
    }
  }
}

/** This mark replaces the default sentence of every action type. No rule can contain it, because RL503 refuses it. */
const unfilled = "`";

/**
 * A copy of the ruleset in which the default sentence of every action type is a mark. An answer with the mark shows that a rule's own
 * sentence could not be filled.
 */
export function markUnfilled(ruleset: Ruleset): Ruleset {
  const does = parsePhrase(unfilled);
  return { ...ruleset, actions: new Map([...ruleset.actions].map(([id, type]) => [id, { ...type, does }])) };
}

/**
 * Makes a sample call for each attempt, with arguments that its captures ask for. RL605: another rule tells the call. RL606: the call does
 * not fill the attempt's sentence. The rules of `world` come from {@link markUnfilled}.
 */
export function* checkAttempts(file: UsableFile, world: ExampleWorld): Generator<LintFinding> {
  for (const { rule, at, name, caseFile } of deriveAttemptCases(file, world)) {
    const { explanation, evidence } = decide(caseFile, world.ruleset, world.labels);
    const standing = evidence().actions.map((action) => action.rule);
    const others = standing.map((id) => `\`${id}\``).join(", ") || "no rule";
    if (!standing.includes(rule.id))
      yield ["RL605", at, `\`${name}\` is told by ${others}; \`${rule.id}\` was expected`];
    else if (explanation.summary.includes(unfilled))
      yield ["RL606", at, `\`${name}\` is told in the action's own words; the rule's sentence was expected`];
  }
}
