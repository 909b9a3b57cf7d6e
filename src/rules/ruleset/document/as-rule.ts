import type { Reporter } from "../../documents/reporter.ts";
import { suggest } from "../../documents/suggest.ts";
import type { WrittenRule } from "./rule-document.ts";

/** `taken`: by rule with `as`, the fields from the other rule. */
export interface WrittenOut {
  rules: WrittenRule[] | undefined;
  taken: ReadonlyMap<WrittenRule, readonly string[]>;
}

/** Never copied: about one rule alone. */
const ownFields = new Set(["id", "example", "survives"]);

/** Each `as` gets the fields of a rule further up. Without a reporter, mistakes are not reported here. */
export function writeOut(written: readonly WrittenRule[] | undefined, reporter?: Reporter): WrittenOut {
  const taken = new Map<WrittenRule, string[]>();
  const whole = new Map<string, WrittenRule>();
  const rules = written?.map((rule, i) => {
    const { as, without = [], ...said } = rule;
    if (as === undefined) {
      whole.set(rule.id, rule);
      return rule;
    }
    const original = whole.get(as);
    if (original === undefined) {
      const problem = written.some(({ id }) => id === as)
        ? `\`${as}\` does not stand above, or is itself \`like\` another rule`
        : `\`${as}\` is no rule of this file`;
      reporter?.report("RL216", ["rules", i, "as"], problem, { suggest: suggest(as, [...whole.keys()]) });
      return rule;
    }
    const fields = Object.entries(original).filter(([field]) => !ownFields.has(field) && !Object.hasOwn(said, field));
    for (const [j, field] of without.entries())
      if (!fields.some(([name]) => name === field))
        reporter?.report(
          "RL216",
          ["rules", i, "without", j],
          `\`${field}\` is no field that \`${as}\` says for this rule`,
        );
    const kept = fields.filter(([field]) => !without.includes(field));
    const joined = { ...Object.fromEntries(kept), ...said };
    taken.set(
      joined,
      kept.map(([field]) => field),
    );
    return joined;
  });
  return { rules, taken };
}
