import { decideMessage } from "../../../engine/messages/decide-message.ts";
import type { DocumentPath } from "../../../rules/documents/source-document.ts";
import { suggest } from "../../../rules/documents/suggest.ts";
import { isMessageEntry } from "../../../rules/ruleset/document/message-entry.ts";
import type { ExampleEntry } from "../../../rules/ruleset/document/rule-document.ts";
import { TypedDataError } from "../../../rules/typed-data/typed-data-error.ts";
import { inTicks, otherOutcomes } from "../examples/examples.ts";
import { GivenNames } from "../examples/given-names.ts";
import { GivenError } from "../examples/given-values.ts";
import { entriesOf, type LintFinding, type UsableFile } from "../rule-view.ts";
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

/** Examples with mistakes are added to `found` (RL604) and left out. */
export function messageExamples(file: UsableFile, world: ExampleWorld, found: LintFinding[] = []): MessageExample[] {
  const entries = entriesOf(file).map(({ entry }) => entry);
  return (file.document.examples ?? []).flatMap((example, i) => {
    const { given } = example;
    if (!isMessageGiven(given)) return [];
    const entry = entries.find(({ id }) => id === (example.rule ?? example.not));
    const names = new GivenNames(file.scope, world.scopes, world.labels);
    try {
      const own = entry !== undefined && isMessageEntry(entry) ? entry : undefined;
      const message = buildMessage(given, own, { names, items: file.scope.messages });
      return [{ example, at: ["examples", i], message }];
    } catch (error) {
      if (!(error instanceof GivenError)) throw error;
      const { at, message, suggestion, key } = error;
      found.push(["RL604", ["examples", i, "given", ...at], message, { suggest: suggestion, key }]);
      return [];
    }
  });
}

/** Other outcomes (RL602) and mistakes (RL604). Forgeries must not deceive a rule with a gate. */
export function runMessageExamples(file: UsableFile, world: ExampleWorld): LintFinding[] {
  const { idOf } = file.scope;
  const ids = [...world.ruleset.messages.values(), ...world.ruleset.openMessages.values()].flat().map(({ id }) => id);
  const own = entriesOf(file).flatMap(({ entry }) => (isMessageEntry(entry) ? entry.id : []));
  const found: LintFinding[] = [];
  for (const { example, at, message } of messageExamples(file, world, found)) {
    for (const field of ["rule", "not"] as const) {
      const name = example[field];
      if (name === undefined || ids.includes(idOf(name))) continue;
      found.push(["RL604", [...at, field], `\`${name}\` is no rule about a message`, { suggest: suggest(name, own) }]);
    }
    const outcome = decideGiven(message, world);
    if (outcome instanceof TypedDataError) {
      found.push(["RL602", [...at, "given"], `the message is refused: ${outcome.message}`]);
      continue;
    }
    const { rule, explanation } = outcome;
    const stands = (name: string) => rule?.id === idOf(name);
    const standing = rule === null ? "no rule stands" : `\`${rule.id}\` stands`;
    found.push(...otherOutcomes(example, at, { stands, standing, explanation }));
    if (example.rule === undefined || !stands(example.rule)) continue;
    const compiled = file.messages.find(({ id }) => id === rule?.id);
    if (compiled === undefined) continue;
    for (const { change, message: forged, judge } of forgeMessages(message, compiled, file)) {
      const made = decideGiven(forged, world);
      const problem = judge(made);
      if (problem === null) continue;
      const answer = made instanceof TypedDataError ? made.message : made.explanation.summary;
      found.push(["RL602", at, `${change}: ${problem}: ${inTicks(answer)}`]);
    }
  }
  return found;
}
