import { turnsOf } from "../../../engine/match/bind-legs.ts";
import type { CompiledLeg } from "../../../rules/ruleset/compiled.ts";
import type { LegEntry } from "../../../rules/ruleset/document/rule-document.ts";
import { type LintFinding, type UsableFile, viewRules } from "../rule-view.ts";

const readingFields = ["token", "from", "to", "amount", "id"] as const;

/** RL317: a leg that reads itself or a leg that is bound later. The value is not there yet, so the leg finds no movement. */
export function* checkLegOrder(file: UsableFile): Generator<LintFinding> {
  for (const { rule, entry, at, attempt } of viewRules(file)) {
    if (attempt !== null) continue;
    const turns = turnsOf(rule.legs).map((place) => (rule.legs[place] as CompiledLeg).name);
    for (const [name, leg] of Object.entries(entry.legs ?? {}))
      for (const { field, other } of readsOf(leg)) {
        if (turns.indexOf(other) < turns.indexOf(name)) continue;
        const when = other === name ? "itself" : `\`${other}\`, which is bound after it`;
        const effect = leg.optional ? "it is never found" : "the rule never fits";
        yield ["RL317", [...at, "legs", name, field], `\`${name}\` reads ${when}, so that ${effect}`];
      }
  }
}

/** The other legs that a leg reads, each with the field in which it does. */
function readsOf(leg: LegEntry) {
  return readingFields.flatMap((field) => legsIn(leg[field]).map((other) => ({ field, other })));
}

/** Names of the legs that a path reads, also inside its brackets. */
function legsIn(path: string | undefined): string[] {
  return [...(path ?? "").matchAll(/(?:^|\()legs\.([^.()]+)\./g)].map(([, name = ""]) => name);
}
