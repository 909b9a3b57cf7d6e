import { expect, it } from "vitest";
import { tellGasCap } from "../../../src/engine/present/present.ts";
import type { CaseFile, Simulation } from "../../../src/model/case-file.ts";
import { shippedLabels } from "../../support/labels.ts";
import { caseFileOf, hashOf } from "../../support/sample.ts";
import { teller } from "./named-world.ts";

const labels = shippedLabels();
const azul = 46_600_927;
const cap = 16_777_216;
const simulation: Simulation = {
  ...{ method: "eth_simulateV1", priced: true, differs: null, unavailable: [], refusal: null },
};

/** What is told of a preview on the last block before Azul, unless it says otherwise. */
function told(parts: { gas?: number; used?: number; block?: number; simulation?: Simulation | null }): string[] {
  const file = caseFileOf(hashOf(1));
  const { gas = cap, used = cap, block = azul - 1 } = parts;
  const simulated = parts.simulation === undefined ? simulation : parts.simulation;
  const changed: CaseFile = {
    ...file,
    transaction: { ...file.transaction, gas: `0x${gas.toString(16)}` },
    receipt: { ...file.receipt, gasUsed: `0x${used.toString(16)}` },
    block: { number: `0x${block.toString(16)}` },
    ...(simulated !== null && { simulation: simulated }),
  };
  return tellGasCap({ file: changed, labels }, teller).map(({ text }) => text);
}

it("a preview of more gas than one transaction may have says so", () => {
  expect(told({})).toEqual([]);
  const limit = "Its gas limit is above the 16,777,216 that one transaction may have, so no block takes it.";
  expect(told({ gas: cap + 1 })).toEqual([limit]);
  expect(told({ gas: cap + 1, simulation: { ...simulation, method: "none" } })).toEqual([limit]);
  const needs = "It needs more gas than the 16,777,216 that one transaction may have, so no block takes it.";
  expect(told({ used: cap + 1 })).toEqual([needs]);
  expect(told({ used: cap + 1, simulation: { ...simulation, method: "none" } })).toEqual([]);
});

it("not before the upgrade that brought it, not twice, and never of what is in a block", () => {
  expect(told({ gas: cap + 1, block: azul - 2 })).toEqual([]);
  expect(told({ gas: cap + 1, simulation: { ...simulation, refusal: "gas_high" } })).toEqual([]);
  expect(told({ gas: cap + 1, block: azul + 1, simulation: null })).toEqual([]);
});
