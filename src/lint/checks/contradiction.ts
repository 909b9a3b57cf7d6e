import type { Reporter } from "../../documents/reporter.ts";
import type { UsableFile } from "../rule-view.ts";
import { type ConditionNames, conditionsClash, conjuncts } from "./set/condition-clash.ts";

/** RL404: parts of one `where` of which only one can hold, so that the rule never fits. */
export function checkContradictions(file: UsableFile, reporter: Reporter): void {
  const names: ConditionNames = { key: (path) => path, role: (name) => file.scope.contracts.get(name) };
  (file.document.rules ?? []).forEach((entry, position) => {
    const parts = Array.isArray(entry.where) ? entry.where : entry.where === undefined ? [] : [entry.where];
    parts.forEach((part, i) => {
      const path = ["rules", position, "where", ...(Array.isArray(entry.where) ? [i] : [])];
      const earlier = parts.slice(0, i).flatMap(conjuncts);
      const own = conjuncts(part);
      const inner = own.some((one, j) => conditionsClash([one], own.slice(0, j), [names, names]));
      if (inner || conditionsClash(own, earlier, [names, names]))
        reporter.report("RL404", path, "the condition contradicts another one, so that the rule never fits");
    });
  });
}
