import { canonicalJson } from "../../../kernel/canonical.ts";
import { isAttemptOnly } from "../../../rules/ruleset/document/attempt-entry.ts";
import { protectingGates } from "../examples/untrusted.ts";
import { type LintFinding, type PlacedEntry, relatedTo, type UsableFile } from "../rule-view.ts";

/**
 * RL601: a rule without an example in which it stands, or a rule without a gate that has no example in which it does not stand. For a rule
 * with a gate, negative examples are derived from the positive ones. A rule taken over from another file may have its recording there.
 */
export function* checkCoverage({ entry, id, at }: PlacedEntry, file: UsableFile): Generator<LintFinding> {
  // Attempts are covered by cases that are made from their calls.
  if (isAttemptOnly(entry)) return;
  const { examples = [] } = file.document;
  const named = (field: "rule" | "not") =>
    examples.some((example) => example[field] !== undefined && file.scope.idOf(example[field]) === id);
  const inherited = file.source.originOf?.(at) !== undefined;
  const gated =
    file.rules.some((rule) => rule.id === id && protectingGates(rule.anchor).length > 0) ||
    // For messages, forgeries of the example show what the rule needs.
    file.messages.some((rule) => rule.id === id);
  const missing = [
    ...(named("rule") || inherited ? [] : ["`rule`: where it stands"]),
    ...(named("not") || gated ? [] : ["`not`: where it does not"]),
  ];
  if (missing.length > 0)
    yield ["RL601", [...at, "id"], `\`${entry.id}\` has no example with ${missing.join(", and none with ")}`];
}

/** RL603: two examples with the same name, or with the same content. */
export function* checkCopies(file: UsableFile): Generator<LintFinding> {
  const named = new Map<string | undefined, number>();
  const made = new Map<string, number>();
  for (const [i, example] of (file.document.examples ?? []).entries()) {
    const { name, ...rest } = example;
    const content = canonicalJson(example.given ?? rest);
    const [namesake, copy] = [name === undefined ? undefined : named.get(name), made.get(content)];
    const repeated = (field: string, message: string, first: number): LintFinding => {
      const related = relatedTo(file, ["examples", first, field], "The first one");
      return ["RL603", ["examples", i, field], message, { related }];
    };
    const field = example.given === undefined ? "tx" : "given";
    if (namesake !== undefined)
      yield repeated("name", `the name \`${name}\` is given twice; a name of its own was expected`, namesake);
    else if (copy !== undefined) yield repeated(field, "the example repeats another one; `like` refers to it", copy);
    if (namesake === undefined) named.set(name, i);
    if (copy === undefined) made.set(content, i);
  }
}
