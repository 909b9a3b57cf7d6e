import { decideMessage } from "../../../engine/messages/decide-message.ts";
import type { Reporter } from "../../../rules/documents/reporter.ts";
import type { DocumentPath } from "../../../rules/documents/source-document.ts";
import { suggest } from "../../../rules/documents/suggest.ts";
import { isMessageEntry } from "../../../rules/ruleset/document/message-entry.ts";
import type { ExampleEntry } from "../../../rules/ruleset/document/rule-document.ts";
import { TypedDataError } from "../../../rules/typed-data/typed-data-error.ts";
import { GivenNames } from "../examples/given-names.ts";
import { GivenError } from "../examples/given-values.ts";
import { entriesOf, type UsableFile } from "../rule-view.ts";
import type { ExampleWorld } from "../world.ts";
import { forgeMessages, type MessageOutcome } from "./forged-messages.ts";
import { buildMessage, isMessageGiven, type MessageCase } from "./given-message.ts";

export interface MessageExample {
  example: ExampleEntry;
  at: DocumentPath;
  message: MessageCase;
}

export function decideGiven(message: MessageCase, { ruleset, labels }: ExampleWorld): MessageOutcome {
  try {
    return decideMessage(message, ruleset, labels);
  } catch (error) {
    if (error instanceof TypedDataError) return error;
    throw error;
  }
}

/** Examples with mistakes are reported (RL604) and left out. */
export function messageExamples(
  file: UsableFile,
  world: ExampleWorld,
  reporter: Pick<Reporter, "report">,
): MessageExample[] {
  const entries = entriesOf(file).map(({ entry }) => entry);
  return (file.document.examples ?? []).flatMap((example, i) => {
    const { given } = example;
    if (!isMessageGiven(given)) return [];
    const entry = entries.find(({ id }) => id === (example.rule ?? example.not));
    const names = new GivenNames(file.scope, world.scopes, world.labels);
    try {
      const own = entry !== undefined && isMessageEntry(entry) ? entry : undefined;
      return [
        { example, at: ["examples", i], message: buildMessage(given, own, { names, items: file.scope.messages }) },
      ];
    } catch (error) {
      if (!(error instanceof GivenError)) throw error;
      const { suggestion, key } = error;
      reporter.report("RL604", ["examples", i, "given", ...error.at], error.message, { suggest: suggestion, key });
      return [];
    }
  });
}

/** Reports other outcomes (RL602). */
export function runMessageExamples(file: UsableFile, world: ExampleWorld, reporter: Reporter): void {
  const ids = [...world.ruleset.messages.values(), ...world.ruleset.openMessages.values()].flat().map(({ id }) => id);
  for (const one of messageExamples(file, world, reporter)) {
    const { example, at } = one;
    for (const field of ["rule", "not"] as const) {
      const name = example[field];
      if (name === undefined || ids.includes(file.scope.idOf(name))) continue;
      const own = entriesOf(file).flatMap(({ entry }) => (isMessageEntry(entry) ? entry.id : []));
      reporter.report("RL604", [...at, field], `\`${name}\` is no rule about a message`, {
        suggest: suggest(name, own),
      });
    }
    if (compare(one, decideGiven(one.message, world), file, reporter)) checkGate(one, file, world, reporter);
  }
}

/** True when the rule that the example names fits. */
function compare(
  { example, at }: MessageExample,
  outcome: MessageOutcome,
  { scope }: UsableFile,
  reporter: Reporter,
): boolean {
  const refuse = (field: keyof ExampleEntry, message: string) => reporter.report("RL602", [...at, field], message);
  if (outcome instanceof TypedDataError) {
    refuse("given", `the message is refused: ${outcome.message}`);
    return false;
  }
  const { rule, explanation } = outcome;
  const standing = rule === null ? "no rule stands" : `\`${rule.id}\` stands`;
  const stands = (name: string) => rule?.id === scope.idOf(name);
  if (example.rule !== undefined && !stands(example.rule))
    refuse("rule", `the rule \`${example.rule}\` was expected to stand; ${standing}`);
  if (example.not !== undefined && stands(example.not))
    refuse("not", `the rule \`${example.not}\` stands, but was not to: ${told(explanation.summary)}`);
  if (example.action !== undefined && explanation.action_type !== example.action)
    refuse(
      "action",
      `the action \`${example.action}\` was expected, \`${explanation.action_type}\` came out; ${standing}`,
    );
  if (example.summary !== undefined && explanation.summary !== example.summary)
    refuse("summary", `the summary is ${told(explanation.summary)}; another one was expected; ${standing}`);
  return example.rule !== undefined && stands(example.rule);
}

/** Forgeries must not deceive a rule with a gate. */
function checkGate(one: MessageExample, file: UsableFile, world: ExampleWorld, reporter: Reporter): void {
  const rule = file.messages.find(({ id }) => id === file.scope.idOf(one.example.rule as string));
  if (rule === undefined) return;
  for (const { change, message, judge } of forgeMessages(one.message, rule, file)) {
    const outcome = decideGiven(message, world);
    const problem = judge(outcome);
    if (problem === null) continue;
    const answer = outcome instanceof TypedDataError ? outcome.message : outcome.explanation.summary;
    reporter.report("RL602", one.at, `${change}: ${problem}: ${told(answer)}`);
  }
}

function told(summary: string): string {
  return `\`${summary.replaceAll("`", "'")}\``;
}
