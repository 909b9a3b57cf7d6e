import type { UsableFile } from "../../rule-view.ts";
import { type ConditionNames, conditionsClash, conjuncts } from "./condition-clash.ts";
import { gatesMeet } from "./overlap.ts";
import type { RuleSet } from "./rule-set.ts";

/** RL706: two unwrappers open one call of one contract; only the first by name would ever be used. */
export function checkUnwrappers(set: RuleSet): void {
  const all = set.files.flatMap((file) =>
    file.unwrappers.map((unwrapper) => {
      const position = (file.document.unwrap ?? []).findIndex(
        (entry) => `${file.document.protocol}/${entry.id}` === unwrapper.id,
      );
      return { file, unwrapper, position, when: conjuncts(file.document.unwrap?.[position]?.when) };
    }),
  );
  for (const one of all)
    for (const other of all) {
      if (
        one === other ||
        one.unwrapper.call.hash !== other.unwrapper.call.hash ||
        !gatesMeet(one.unwrapper.gate, other.unwrapper.gate)
      )
        continue;
      if (conditionsClash(one.when, other.when, [namesIn(one.file), namesIn(other.file)])) continue;
      const message = `\`${one.unwrapper.id}\` and \`${other.unwrapper.id}\` open the same call at the same place; one was expected`;
      const range = other.file.source.rangeOf(["unwrap", other.position, "id"]);
      const related = [{ file: other.file.source.file, range, message: `\`${other.unwrapper.id}\` is here` }];
      set.reporter(one.file).report("RL706", ["unwrap", one.position, "id"], message, { related });
    }
}

function namesIn(file: UsableFile): ConditionNames {
  return { key: (path) => path, role: (name) => file.scope.contracts.get(name) };
}
