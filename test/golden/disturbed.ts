import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { decide, planLookups } from "../../src/engine/spine.ts";
import { type CaseFile, type CaseFileV1, upgradeCase } from "../../src/model/case-file.ts";
import type { Labels } from "../../src/model/label.ts";
import { loadLabels } from "../../src/rules/labels/load.ts";
import { loadRuleset } from "../../src/rules/ruleset/load.ts";
import type { Ruleset } from "../../src/rules/ruleset/ruleset.ts";
import { goldenAnswer } from "../../src/tools/lint/golden/golden-answer.ts";
import { root } from "../support/shared.ts";
import { DigestRecord, type Digests, digestOf } from "./digest-record.ts";
import { calls, type Disturbance, envelopes, logs } from "./disturbance.ts";
import { type LookupDisturbance, lookups, previews, withAnswers } from "./lookup-disturbance.ts";

/** Every recorded transaction with one thing otherwise: what is recorded of each is a digest of all that is told of it. */
export const disturbedRecord = new DigestRecord(join(root, "test/golden/disturbed.tsv"));
const recordings = join(root, "test/transactions");
/** Of all disturbances a transaction gets every third, each transaction others. */
const share = 3;

interface Rules {
  ruleset: Ruleset;
  labels: Labels;
}

const onChain = Object.entries({ ...envelopes, ...logs, ...calls }).map(
  ([name, change]) => [name, answered(change)] as const,
);
const disturbances: readonly (readonly [string, (file: CaseFile, rules: Rules) => CaseFile])[] = [
  ...onChain,
  ...Object.entries({ ...lookups, ...previews }).map(([name, change]) => [name, asPlanned(change)] as const),
];

/** The risk lookups of every second transaction are answered, so that flags and checks are told, too. */
function answered(change: Disturbance) {
  return (file: CaseFile, rules: Rules): CaseFile => {
    const changed = change(file);
    return Number(file.tx_hash.at(-1)) % 2 === 0 ? withAnswers(changed, planOf(changed, rules)) : changed;
  };
}

function asPlanned(change: LookupDisturbance) {
  return (file: CaseFile, rules: Rules): CaseFile => change(file, planOf(file, rules));
}

function planOf(file: CaseFile, rules: Rules) {
  return planLookups(file, rules, 12);
}

/** The cases that a recorded transaction gives: what is otherwise, and how. */
export function disturbedCases(file: CaseFile, rules: Rules): { name: string; caseFile: CaseFile }[] {
  const place = Number(file.tx_hash.slice(0, 8));
  const chosen = disturbances.filter((_, i) => (i + place) % share === 0);
  return chosen.map(([name, change]) => ({ name, caseFile: change(file, rules) }));
}

/** Decides every disturbed case with the shipped rules and labels; by hash of the transaction. */
export function collectDisturbed(): Digests {
  const { ruleset } = loadRuleset(join(root, "rules"));
  const rules = { ruleset, labels: loadLabels(join(root, "labels"), ruleset.names).labels };
  const names = readdirSync(recordings).filter((name) => name.endsWith(".json"));
  return new Map(
    names.sort().map((name) => {
      const file = upgradeCase(JSON.parse(readFileSync(join(recordings, name), "utf8")) as CaseFile | CaseFileV1);
      const cases = disturbedCases(file, rules);
      return [file.tx_hash, cases.map((one) => ({ name: one.name, digest: digestOf(toldOf(one, rules)) }))];
    }),
  );
}

/** The answer, its evidence, the view of the account whose act it is, and what is looked up. */
function toldOf({ name, caseFile }: { name: string; caseFile: CaseFile }, rules: Rules): unknown {
  const decided = decide(caseFile, rules.ruleset, rules.labels);
  return [goldenAnswer(name, decided), decided.view(null), planOf(caseFile, rules)];
}
