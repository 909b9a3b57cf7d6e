import type { CaseFile } from "../../../model/case-file.ts";
import type { DocumentPath } from "../../../rules/documents/source-document.ts";
import { placeOf } from "../../../rules/ruleset/compile/compile-attempts.ts";
import { listOf } from "../../../rules/ruleset/compile/scope.ts";
import type { CompiledRule } from "../../../rules/ruleset/compiled.ts";
import { uniqueNames } from "../distinct-names.ts";
import { type RuleView, type UsableFile, viewRules } from "../rule-view.ts";
import type { ExampleWorld } from "../world.ts";
import { buildCase } from "./given.ts";
import { GivenNames } from "./given-names.ts";
import { GivenError } from "./given-values.ts";
import { SampleArguments } from "./sample-arguments.ts";

/** A reverted call, made from an attempt. */
interface AttemptCase {
  /** `supply: reverted depositETH`; unique in its file. */
  name: string;
  rule: CompiledRule;
  /** In the file. */
  at: DocumentPath;
  caseFile: CaseFile;
}

/**
 * One reverted call for each attempt, with simple values that meet simple conditions. None for any call, steps of a program, or complex
 * conditions.
 */
export function deriveAttemptCases(file: UsableFile, world: ExampleWorld): AttemptCase[] {
  const cases = viewRules(file).flatMap((view): AttemptCase[] => {
    const { rule, entry, attempt } = view;
    const caseFile = deriveCase(view, world);
    if (attempt === null || caseFile === undefined || rule.anchor.kind !== "call") return [];
    const name = `${entry.id}: reverted ${rule.anchor.call?.name ?? ""}`;
    return [{ name, rule, at: [...view.at, ...attempt.path], caseFile }];
  });
  const names = uniqueNames(cases.map(({ name }) => name));
  return cases.map((one, i) => ({ ...one, name: names[i] as string }));
}

function deriveCase({ rule, entry, attempt: placed, file }: RuleView, world: ExampleWorld): CaseFile | undefined {
  const call = rule.anchor.kind === "call" ? rule.anchor.call : null;
  if (placed === null || call === null || call.step) return undefined;
  const { attempt } = placed;
  const [key] = [...file.scope.abi].find(([, item]) => item === call) ?? [];
  if (key === undefined) return undefined;
  const names = new GivenNames(file.scope, world.scopes, world.labels);
  const sample = new SampleArguments(entry, attempt, call, names);
  if (!sample.meetsConditions()) return undefined;
  const place = listOf(placeOf(entry, attempt))[0] ?? "any";
  try {
    const given = { from: "alice", to: place === "any" || place === "moved" ? "bob" : place, status: "reverted" };
    return buildCase({ ...given, ...sample.value(), call: { [key]: sample.arguments() } }, names);
  } catch (error) {
    if (error instanceof GivenError) return undefined;
    throw error;
  }
}
