import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../support/shared.ts";

/** Whether the rules of this tree are read in version 3 of the language, in which `rule-lint new` writes. */
export const readsVersion3 = readFileSync(join(root, "schemas/rule.schema.json"), "utf8").includes('"anchor"');
