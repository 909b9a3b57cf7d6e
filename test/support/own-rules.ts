import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Candidate } from "../../src/engine/match/candidate.ts";
import { match } from "../../src/engine/match/match.ts";
import { normalize } from "../../src/engine/normalize/normalize.ts";
import { type Settled, settle } from "../../src/engine/settle/settle.ts";
import { decide } from "../../src/engine/spine.ts";
import { GateKeeper } from "../../src/engine/unwrap/gates.ts";
import { type Unwrapped, unwrap } from "../../src/engine/unwrap/unwrap.ts";
import type { CaseFile } from "../../src/model/case-file.ts";
import type { Decision } from "../../src/model/decision.ts";
import { compileSources, listYaml } from "../../src/rules/ruleset/load.ts";
import type { RuleSource } from "../../src/rules/ruleset/rule-cache.ts";
import type { Ruleset } from "../../src/rules/ruleset/ruleset.ts";
import { shippedLabels } from "./labels.ts";
import { root } from "./shared.ts";

const actions = { file: "actions.yaml", text: readFileSync(join(root, "rules/actions.yaml"), "utf8") };
const verbs = { file: "verbs.yaml", text: readFileSync(join(root, "rules/verbs.yaml"), "utf8") };

/** Compiles rules that a test wrote, with the shipped action types. Each text is one rule file; the file gets the name of its protocol. */
export function compileOwn(...texts: string[]): Ruleset {
  const files = texts.map((text): RuleSource => ({ file: `${/^protocol: (\S+)$/m.exec(text)?.[1]}.yaml`, text }));
  const { ruleset, diagnostics } = compileSources([actions, verbs, ...files]);
  const errors = diagnostics.filter(({ level }) => level === "error");
  if (errors.length > 0) throw new Error(JSON.stringify(errors));
  return ruleset;
}

/** Compiles only the shipped files of these protocols, and the files that they name under `like`. */
export function compileShipped(...names: string[]): Ruleset {
  const paths = listYaml(join(root, "rules"));
  const read = (wanted: readonly string[]) =>
    paths
      .filter((path) => wanted.some((name) => path.endsWith(`/${name}.yaml`)))
      .map((path) => readFileSync(path, "utf8"));
  const originals = read(names).flatMap((text) => /^like: (\S+)$/m.exec(text)?.[1] ?? []);
  return compileOwn(...read([...names, ...originals]));
}

/** What the stages of the decoder make of a case. */
export interface Stages {
  unwrapped: Unwrapped;
  candidates: Candidate[];
  settled: Settled;
}

export function runStages(file: CaseFile, ruleset: Ruleset): Stages {
  const tx = normalize(file, shippedLabels());
  const gates = new GateKeeper(tx, file);
  const unwrapped = unwrap(tx, ruleset, gates);
  const matches = match(unwrapped, ruleset, gates);
  return {
    unwrapped,
    candidates: matches.candidates,
    settled: settle(matches, unwrapped, { grants: ruleset.grants, labels: shippedLabels() }),
  };
}

/** The whole answer by a test's own rules. */
export function decideBy(ruleset: Ruleset, file: CaseFile): Decision {
  return decide(file, ruleset, shippedLabels());
}

/** Ids of the rules that stand, the headline first. */
export function standing(ruleset: Ruleset, file: CaseFile): string[] {
  return runStages(file, ruleset).settled.actions.map(({ rule }) => rule.id);
}
