/**
 * How attempts are told of functions that descriptors on Base know and shipped rules claim to tell:
 *
 *     SHARED_DIR=… node test/tools/erc7730/registry/attempts.ts [--list]
 */
import { join } from "node:path";
import { loadRuleset } from "../../../../src/rules/ruleset/load.ts";
import { findShared, root } from "../../../support/shared.ts";
import { tellAttempts } from "./attempt-values.ts";

const registry = findShared("clear-signing");
if (registry === undefined) {
  console.error("the registry of descriptors is not there: set SHARED_DIR");
  process.exit(2);
}
const attempts = tellAttempts(registry, loadRuleset(join(root, "rules")).ruleset);
const sum = (of: (one: (typeof attempts)[number]) => number): number => attempts.reduce((all, one) => all + of(one), 0);
const told = sum((one) => one.told.length);
const fields = told + sum((one) => one.lost.length);
const silent = attempts.filter((one) => one.told.length === 0);
if (process.argv.includes("--list"))
  for (const { descriptor, name, rule, sentence, told, lost } of attempts)
    if (lost.length > 0)
      console.log(
        `${descriptor} ${name} [${rule}] ${told.length}/${told.length + lost.length}\n    ${sentence}\n    lost: ${lost.join(", ")}`,
      );
console.log(
  `${attempts.length} functions; ${silent.length} tell no value, ${attempts.filter((one) => one.lost.length === 0).length} all; values told ${told} of ${fields}`,
);
