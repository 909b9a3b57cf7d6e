import type { Reporter } from "../../documents/reporter.ts";
import { canonicalJson } from "../../kernel/canonical.ts";
import { isAttemptOnly } from "../../ruleset/document/attempt-entry.ts";
import { protectingGates } from "../examples/untrusted.ts";
import { entriesOf, relatedTo, type UsableFile } from "../rule-view.ts";

/**
 * RL601: a rule that no example shows at work; or one without a gate that no example shows to stay away. What a gate keeps away is
 * derived from the positive ones. A rule that is taken over may have its recording in the other file.
 */
export function checkCoverage(file: UsableFile, reporter: Reporter): void {
  const { examples = [] } = file.document;
  const named = (field: "rule" | "not", id: string) =>
    examples.some((example) => example[field] !== undefined && file.scope.idOf(example[field]) === id);
  for (const { entry, id, at } of entriesOf(file)) {
    // Attempts are shown by cases that follow from their calls.
    if (isAttemptOnly(entry)) continue;
    const inherited = file.source.originOf?.(at) !== undefined;
    const gated =
      file.rules.some((rule) => rule.id === id && protectingGates(rule.anchor).length > 0) ||
      // Forgeries of its example show what a message needs.
      file.messages.some((rule) => rule.id === id);
    const missing = [
      ...(named("rule", id) || inherited ? [] : ["`rule`: where it stands"]),
      ...(named("not", id) || gated ? [] : ["`not`: where it does not"]),
    ];
    if (missing.length === 0) continue;
    const message = `\`${entry.id}\` has no example with ${missing.join(", and none with ")}`;
    reporter.report("RL601", [...at, "id"], message);
  }
}

/** RL603: two examples of one name, or two that are the same thing. */
export function checkCopies(file: UsableFile, reporter: Reporter): void {
  const named = new Map<string | undefined, number>();
  const made = new Map<string, number>();
  (file.document.examples ?? []).forEach((example, i) => {
    const { name, ...rest } = example;
    const content = canonicalJson(example.given ?? rest);
    const [namesake, copy] = [name === undefined ? undefined : named.get(name), made.get(content)];
    const report = (field: string, message: string, first: number) =>
      reporter.report("RL603", ["examples", i, field], message, {
        related: relatedTo(file, ["examples", first, field], "The first one"),
      });
    if (namesake !== undefined)
      report("name", `the name \`${name}\` is given twice; a name of its own was expected`, namesake);
    else if (copy !== undefined)
      report(
        example.given === undefined ? "tx" : "given",
        "the example repeats another one; `like` refers to it",
        copy,
      );
    if (namesake === undefined) named.set(name, i);
    if (copy === undefined) made.set(content, i);
  });
}
