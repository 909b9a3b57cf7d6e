import { Teller } from "../../src/present/teller/teller.ts";
import { compileSources } from "../../src/ruleset/load.ts";

/** Says the shipped phrases. */
export function shippedTeller(): Teller {
  return new Teller(compileSources([]).ruleset.wording);
}
