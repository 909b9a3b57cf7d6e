import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./shared.ts";

/** The shipped tables of actions and verbs. Rules of a test are compiled together with them. */
export const shippedTables = ["rules/actions.yaml", "rules/verbs.yaml"].map((file) => {
  return { file, text: readFileSync(join(root, file), "utf8") };
});
