import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { decide } from "../../src/engine/spine.ts";
import { type CaseFile, type CaseFileV1, upgradeCase } from "../../src/model/case-file.ts";
import type { Decision } from "../../src/model/decision.ts";
import { loadLabels } from "../../src/rules/labels/load.ts";
import { loadRuleset } from "../../src/rules/ruleset/load.ts";
import { root } from "../support/shared.ts";

/** The shipped rules and labels, compiled once for a test file. */
export const { ruleset, diagnostics, files } = loadRuleset(join(root, "rules"));
export const { labels } = loadLabels(join(root, "labels"), ruleset.names);

/** Explains a case with the shipped rules and labels. */
export function explainCase(file: CaseFile): Decision {
  return decide(file, ruleset, labels);
}

/** The bytes of an answer. */
export function bytesOf(file: CaseFile): string {
  return JSON.stringify(explainCase(file).explanation);
}

/** Every recorded transaction that ships with the project. */
export const recordings: readonly CaseFile[] = readRecordings();

function readRecordings(): CaseFile[] {
  const dir = join(root, "test/transactions");
  const names = readdirSync(dir).filter((name) => name.endsWith(".json"));
  return names
    .sort()
    .map((name) => upgradeCase(JSON.parse(readFileSync(join(dir, name), "utf8")) as CaseFile | CaseFileV1));
}
