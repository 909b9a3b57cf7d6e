import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { CaseFile } from "../../src/model/case-file.ts";
import { loadLabels } from "../../src/rules/labels/load.ts";
import { loadRuleset } from "../../src/rules/ruleset/load.ts";
import { root } from "../../test/support/shared.ts";

/** A recorded transaction, as text and as it is read. */
export interface Recorded {
  text: string;
  file: CaseFile;
}

/** Every recorded transaction that ships with the project. */
export function readRecorded(): Recorded[] {
  const dir = join(root, "test/transactions");
  return readdirSync(dir)
    .filter((name) => name.endsWith(".json"))
    .map((name) => readFileSync(join(dir, name), "utf8"))
    .map((text) => ({ text, file: JSON.parse(text) as CaseFile }));
}

/** The shipped rules and labels. */
export function loadShipped() {
  const { ruleset } = loadRuleset(join(root, "rules"));
  return { ruleset, ...loadLabels(join(root, "labels"), ruleset.names) };
}
