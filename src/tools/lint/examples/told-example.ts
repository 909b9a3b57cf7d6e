import { decide } from "../../../engine/spine.ts";
import { TypedDataError } from "../../../rules/typed-data/typed-data-error.ts";
import { decideGiven, messageExamples } from "../messages/message-examples.ts";
import type { ToldExample } from "../report/lint-report.ts";
import type { UsableFile } from "../rule-view.ts";
import type { ExampleWorld } from "../world.ts";
import { exampleCases } from "./examples.ts";

/** What each rule's first example is told as, in the order of the file. */
export function toldExamples(file: UsableFile, world: ExampleWorld): ToldExample[] {
  const told = new Map<string, string>();
  const add = (rule: string | undefined, sentence: () => string) => {
    if (rule !== undefined && !told.has(rule)) told.set(rule, sentence());
  };
  for (const { example, caseFile } of exampleCases(file, world))
    add(example.rule, () => decide(caseFile, world.ruleset, world.labels).explanation.summary);
  for (const { example, message } of messageExamples(file, world))
    add(example.rule, () => {
      const outcome = decideGiven(message, world);
      return outcome instanceof TypedDataError ? outcome.message : outcome.explanation.summary;
    });
  const ids = (file.document.rules ?? []).map(({ id }) => id);
  return ids.flatMap((rule) => {
    const sentence = told.get(rule);
    return sentence === undefined ? [] : [{ rule, sentence }];
  });
}
