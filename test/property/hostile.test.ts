import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { root } from "../support/shared.ts";
import { anyCase } from "./case-arbitrary.ts";
import { expectSound } from "./invariants.ts";
import { bytesOf } from "./world.ts";

const numRuns = Number(process.env.PROPERTY_RUNS ?? 400);
const caseSchema = JSON.parse(readFileSync(join(root, "schemas/case.schema.json"), "utf8"));
const isCase = new Ajv2020({ strict: true, allowUnionTypes: true }).compile(caseSchema);

describe("any case file that the schema lets through", () => {
  it("is explained without a throw, in the schema, claimed once, conserved and exact", () => {
    fc.assert(
      fc.property(anyCase, (drawn) => {
        // As it would be read from a file: fields that are not there are not there.
        const file = JSON.parse(JSON.stringify(drawn));
        expect(isCase(file), JSON.stringify(isCase.errors)).toBe(true);
        expect(bytesOf(JSON.parse(JSON.stringify(file)))).toBe(expectSound(file));
      }),
      { numRuns },
    );
  });
});
