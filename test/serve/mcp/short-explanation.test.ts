import { expect, it } from "vitest";
import type { Explanation } from "../../../src/model/explanation.ts";
import { shortenExplanation } from "../../../src/serve/mcp/short-explanation.ts";
import { hostilePage, recordedPages } from "../../support/recorded-pictures.ts";
import { explanationOf, hashOf } from "../../support/sample.ts";
import { compileSchema, readSchema } from "../../support/schema.ts";

const isShort = compileSchema("short-explanation");
const recorded = [...recordedPages().values()];

function expectLoyal(explanation: Explanation): void {
  const { summary, action_type, status, risk_flags, checks, tx_hash, partial, provenance } = explanation;
  const short = shortenExplanation(explanation);
  // Every warning is there, and every text keeps its words.
  expect(short).toEqual({
    ...{ summary, action_type, status, risk_flags, checks, tx_hash, partial },
    provenance: { note: provenance.note, untrusted_fields: expect.any(Array) },
  });
  const kept = provenance.untrusted_fields.filter((path) => /^(?:summary|risk_flags|checks)\b/.test(path));
  expect(short.provenance.untrusted_fields).toEqual(kept);
}

it("the short form of every recording keeps sentence, warnings and marks, and has the form of its schema", () => {
  expect(recorded.length).toBeGreaterThan(100);
  for (const { explanation } of recorded) {
    expectLoyal(explanation);
    expect(isShort(shortenExplanation(explanation)), JSON.stringify(isShort.errors)).toBe(true);
  }
  expectLoyal(hostilePage(recorded[0] as (typeof recorded)[0]).explanation);
});

it("it is the shorter one, and never changes the whole", () => {
  const explanation = Object.freeze(explanationOf(hashOf(1)));
  const before = JSON.stringify(explanation);
  expect(JSON.stringify(shortenExplanation(explanation)).length).toBeLessThan(before.length);
  expect(JSON.stringify(explanation)).toBe(before);
});

it("its schema describes each field as that of the explanation does", () => {
  const { properties, required } = readSchema("short-explanation") as {
    properties: Record<string, unknown>;
    required: string[];
  };
  const whole = readSchema("explanation") as { properties: Record<string, unknown> };
  expect(Object.keys(properties)).toEqual(required);
  expect(Object.keys(properties)).toEqual(Object.keys(shortenExplanation(explanationOf(hashOf(1)))));
  for (const [name, schema] of Object.entries(properties)) expect(schema).toEqual(whole.properties[name]);
  const isWhole = compileSchema("explanation");
  // Nobody can take one form for the other.
  expect([isShort(explanationOf(hashOf(1))), isWhole(shortenExplanation(explanationOf(hashOf(1))))]).toEqual([
    false,
    false,
  ]);
});
