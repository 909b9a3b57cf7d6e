import type { Reporter } from "../../documents/reporter.ts";
import { decide } from "../../engine/decide.ts";
import { deriveAttemptCases } from "../examples/attempt-case.ts";
import type { ExampleWorld } from "../examples/examples.ts";
import type { UsableFile } from "../rule-view.ts";

/** RL605: attempts whose own call, with arguments that their captures ask for, another rule tells instead. */
export function checkAttempts(file: UsableFile, world: ExampleWorld, reporter: Reporter): void {
  for (const { rule, at, name, caseFile } of deriveAttemptCases(file, world)) {
    const standing = decide(caseFile, world.ruleset, world.labels)
      .evidence()
      .actions.map((action) => action.rule);
    if (standing.includes(rule.id)) continue;
    const others = standing.map((id) => `\`${id}\``).join(", ") || "no rule";
    reporter.report("RL605", at, `a reverted ${name} is told by ${others}; \`${rule.id}\` was expected`);
  }
}
