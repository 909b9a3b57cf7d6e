import { Teller } from "../../src/engine/present/teller/teller.ts";
import { compileSources } from "../../src/rules/ruleset/load.ts";

/** Says the shipped phrases. */
export function shippedTeller(): Teller {
  return new Teller(compileSources([]).ruleset.wording);
}
