import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./shared.ts";

/** The tables of actions and verbs, beside which the rules of a test are compiled. */
export const shippedTables = ["rules/actions.yaml", "rules/verbs.yaml"].map((file) => {
  return { file, text: readFileSync(join(root, file), "utf8") };
});
