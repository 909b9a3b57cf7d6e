import type { Reporter } from "../../documents/reporter.ts";
import { canonicalJson } from "../../kernel/canonical.ts";
import { isAttemptOnly } from "../../ruleset/document/attempt-entry.ts";
import { protectingGates } from "../examples/derived.ts";
import type { UsableFile } from "../rule-view.ts";

/**
 * RL601: a rule that no example shows at work; or one without a gate that no example shows to stay away. What a gate keeps away is
 * derived from the positive ones. A rule that is taken over may have its recording in the other file.
 */
export function checkCoverage(file: UsableFile, reporter: Reporter): void {
  const { protocol, rules = [], examples = [] } = file.document;
  const names = (field: "rule" | "not") =>
    new Set(examples.flatMap((example) => example[field]?.replace(`${protocol}/`, "") ?? []));
  const positive = names("rule");
  const negative = names("not");
  rules.forEach((entry, position) => {
    const { id } = entry;
    // Attempts are shown by cases that follow from their calls.
    if (isAttemptOnly(entry)) return;
    const inherited = file.source.originOf?.(["rules", position]) !== undefined;
    const gated = file.rules.some((rule) => rule.id === `${protocol}/${id}` && protectingGates(rule.anchor).length > 0);
    const missing = [
      ...(positive.has(id) || inherited ? [] : ["`rule`: where it stands"]),
      ...(negative.has(id) || gated ? [] : ["`not`: where it does not"]),
    ];
    if (missing.length > 0)
      reporter.report(
        "RL601",
        ["rules", position, "id"],
        `\`${id}\` has no example with ${missing.join(", and none with ")}`,
      );
  });
}

/** RL603: two examples of one name, or two that are the same thing. */
export function checkCopies(file: UsableFile, reporter: Reporter): void {
  const named = new Map<string, number>();
  const made = new Map<string, number>();
  (file.document.examples ?? []).forEach((example, i) => {
    const { name, ...rest } = example;
    const content = canonicalJson(example.given ?? rest);
    const same = made.get(content);
    if (name !== undefined && named.has(name))
      report("name", `the name \`${name}\` is given twice; a name of its own was expected`, named.get(name) as number);
    else if (same !== undefined)
      report(
        example.given === undefined ? "tx" : "given",
        `the example repeats another one; \`like\` refers to it`,
        same,
      );
    if (name !== undefined && !named.has(name)) named.set(name, i);
    if (same === undefined) made.set(content, i);
    function report(field: string, message: string, first: number): void {
      const range = file.source.rangeOf(["examples", first, field]);
      reporter.report("RL603", ["examples", i, field], message, {
        related: [{ file: file.source.file, range, message: "The first one" }],
      });
    }
  });
}
