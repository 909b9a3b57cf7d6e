import type { CaseFile } from "../../model/case-file.ts";
import { placeOf } from "../../ruleset/compile/compile-attempts.ts";
import { listOf } from "../../ruleset/compile/scope.ts";
import type { CompiledRule } from "../../ruleset/compiled.ts";
import { attemptsOf } from "../../ruleset/document/attempt-entry.ts";
import type { RuleEntry } from "../../ruleset/document/rule-document.ts";
import type { UsableFile } from "../rule-view.ts";
import type { ExampleWorld } from "./examples.ts";
import { buildCase } from "./given.ts";
import { GivenNames } from "./given-names.ts";
import { GivenError } from "./given-values.ts";
import { SampleArguments } from "./sample-arguments.ts";

/** A reverted call that follows from an attempt of a rule. */
export interface AttemptCase {
  /** `supply: reverted depositETH`: unique in its file. */
  name: string;
  rule: CompiledRule;
  /** Place of the attempt in the file. */
  at: (string | number)[];
  caseFile: CaseFile;
}

/**
 * One reverted call for each attempt of a file: the ABI gives the arguments, the captures say which of them are tokens and amounts,
 * simple conditions are met. Attempts by any call, by steps of a program or under conditions that cannot be met so have none.
 */
export function deriveAttemptCases(file: UsableFile, world: ExampleWorld): AttemptCase[] {
  const entries = file.document.rules ?? [];
  const counts = new Map<string, number>();
  return file.rules.flatMap((rule): AttemptCase[] => {
    const position = entries.findIndex((entry) => file.scope.idOf(entry.id) === rule.id);
    const entry = entries[position];
    if (entry === undefined || rule.attempt === null) return [];
    const caseFile = deriveCase(file, entry, rule, world);
    if (caseFile === undefined || rule.anchor.kind !== "call") return [];
    const name = `${entry.id}: reverted ${rule.anchor.call?.name ?? ""}`;
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    const path = attemptsOf(entry)[rule.attempt]?.path ?? [];
    return [{ name: count === 1 ? name : `${name} (${count})`, rule, at: ["rules", position, ...path], caseFile }];
  });
}

function deriveCase(
  { scope }: UsableFile,
  entry: RuleEntry,
  { anchor, attempt: number }: CompiledRule,
  world: ExampleWorld,
): CaseFile | undefined {
  const attempt = attemptsOf(entry)[number ?? -1]?.attempt;
  if (attempt === undefined || anchor.kind !== "call" || anchor.call === null || anchor.call.step) return undefined;
  const call = anchor.call;
  const key = [...scope.abi].find(([, item]) => item === call)?.[0];
  if (key === undefined) return undefined;
  const names = new GivenNames(scope, world.scopes, world.labels);
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
