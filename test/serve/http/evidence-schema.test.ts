import { expect, it } from "vitest";
import { explainCase, recordings } from "../../property/world.ts";
import { compileSchema } from "../../support/schema.ts";

it("evidence fits its schema for every recording", () => {
  const isEvidence = compileSchema("evidence");
  for (const file of recordings) {
    const told = JSON.parse(JSON.stringify({ tx_hash: file.tx_hash, ...explainCase(file).evidence() }));
    expect(isEvidence(told), JSON.stringify(isEvidence.errors)).toBe(true);
  }
});
