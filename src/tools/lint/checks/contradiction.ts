import type { Reporter } from "../../../rules/documents/reporter.ts";
import { listOf } from "../../../rules/ruleset/compile/scope.ts";
import { entriesOf, type UsableFile } from "../rule-view.ts";
import { conditionsClash, conjuncts, plainNames } from "./set/condition-clash.ts";

/** RL404: conditions of one `where` that contradict each other, so that the rule never fits. */
export function checkContradictions(file: UsableFile, reporter: Reporter): void {
  const names = plainNames(file.scope);
  const clash = (one: readonly unknown[], other: readonly unknown[]) => conditionsClash(one, other, [names, names]);
  for (const { entry, at } of entriesOf(file))
    listOf(entry.where).forEach((part, i, parts) => {
      const own = conjuncts(part);
      const inner = own.some((one, j) => clash([one], own.slice(0, j)));
      if (!inner && !clash(own, parts.slice(0, i).flatMap(conjuncts))) return;
      const path = [...at, "where", ...(Array.isArray(entry.where) ? [i] : [])];
      reporter.report("RL404", path, "the condition contradicts another one, so that the rule never fits");
    });
}
