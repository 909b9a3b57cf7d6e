import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc, { type Arbitrary } from "fast-check";
import { describe, expect, it } from "vitest";
import type { CaseFile } from "../../src/model/case-file.ts";
import { root } from "../support/shared.ts";
import { anyCase } from "./case-arbitrary.ts";
import { expectSound } from "./invariants.ts";
import { anyMutant } from "./mutant-arbitrary.ts";
import { bytesOf } from "./world.ts";

/** More of them, to search: PROPERTY_RUNS=100000. */
const numRuns = Number(process.env.PROPERTY_RUNS ?? 500);
const caseSchema = JSON.parse(readFileSync(join(root, "schemas/case.schema.json"), "utf8"));
const isCase = new Ajv2020({ strict: true, allowUnionTypes: true }).compile(caseSchema);

describe("is explained without a throw, in the schema, claimed once, conserved and exact:", () => {
  it.each<[string, Arbitrary<CaseFile>]>([
    ["any case file that the schema lets through", anyCase],
    ["any recorded transaction with its facts made otherwise", anyMutant],
  ])("%s", { timeout: 60_000 + numRuns * 20 }, (_what, arbitrary) => {
    fc.assert(
      fc.property(arbitrary, (drawn) => {
        // As it would be read from a file: undefined fields are missing.
        const file = JSON.parse(JSON.stringify(drawn)) as CaseFile;
        expect(isCase(file), JSON.stringify(isCase.errors)).toBe(true);
        expect(bytesOf(JSON.parse(JSON.stringify(file)))).toBe(expectSound(file));
      }),
      { numRuns },
    );
  });
});
