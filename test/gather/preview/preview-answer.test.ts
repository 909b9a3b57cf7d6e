import { describe, expect, it } from "vitest";
import { entityTag } from "../../../src/gather/explain/explain.ts";
import { toAnswer } from "../../../src/gather/preview/preview-answer.ts";
import type { CaseFile } from "../../../src/model/case-file.ts";
import type { Decision } from "../../../src/model/decision.ts";
import type { RiskFlag } from "../../../src/model/explanation.ts";
import { caseFileOf, evidenceOf, explanationOf, hashOf } from "../../support/sample.ts";

const hash = hashOf(1);
const simulation: CaseFile["simulation"] = {
  method: "debug_traceCall",
  priced: true,
  differs: false,
  unavailable: [],
  refusal: null,
};
const block = { number: "0x63", hash: hashOf(9) } as CaseFile["block"];
const flags = ["transaction_reverted", "unlimited_approval"].map((flag) => ({ flag, detail: `of ${flag}` }));
const explanation = explanationOf(hash, {
  ...{ risk_flags: flags as RiskFlag[], gas_paid_usd: 0.5 },
});
const told = { asks: ["a", "b", "c"], notes: [{ code: "can_change", detail: "n" }], untrustedAsks: [0, 2] };

function answer(parts: object = {}, receipt: object = { gasUsed: "0x5208" }, at: object = block) {
  const file = { ...caseFileOf(hash), block: at, receipt: { logs: [], ...receipt } };
  const caseFile = { ...file, simulation: { ...simulation, ...parts } } as CaseFile;
  const decision = { explanation, evidence: () => evidenceOf(), preview: told } as unknown as Decision;
  return { caseFile, told: toAnswer(caseFile, decision) };
}

describe("the answer to a preview", () => {
  it("is what an explanation has, without what only a mined transaction has", () => {
    const { caseFile, told: made } = answer();
    const { summary, action_type, assets_moved, counterparties, checks, partial, provenance } = explanation;
    const preview = {
      ...{ summary, action_type, outcome: explanation.status, asks: ["a", "b", "c"], assets_moved, counterparties },
      risk_flags: [
        { flag: "simulation_reverted", detail: "of transaction_reverted" },
        { flag: "unlimited_approval", detail: "of unlimited_approval" },
      ],
      ...{ checks, notes: told.notes },
      simulation: {
        ...{ method: "debug_traceCall", block_number: 99, block_hash: hashOf(9) },
        ...{ gas_used: 21_000, priced: true, differs: false },
      },
      ...{ fee_estimate_usd: 0.5, partial },
      provenance: { ...provenance, untrusted_fields: [...provenance.untrusted_fields, "asks[0]", "asks[2]"] },
    };
    const body = Buffer.from(JSON.stringify(preview));
    expect(made).toEqual({ source: "network", preview, evidence: evidenceOf(), caseFile, body, etag: entityTag(body) });
    // The keys stand in the order of the model.
    expect(made.body.toString()).toBe(body.toString());
  });

  it.each<[string, object, string, number | null, number | null]>([
    ["what was traced", {}, explanation.status, 0.5, 21_000],
    ["what was simulated as a block", { method: "eth_simulateV1" }, explanation.status, 0.5, 21_000],
    ["what nobody ran", { method: "none" }, "not_simulated", null, null],
    ["what a node would refuse", { method: "none", refusal: "funds" }, "rejected", null, null],
    ["what ran and would be refused", { refusal: "funds" }, "rejected", 0.5, 21_000],
  ])("of %s", (_name, parts, outcome, fee_estimate_usd, gas_used) => {
    const { preview } = answer(parts).told;
    expect(preview).toMatchObject({ outcome, fee_estimate_usd, simulation: { gas_used } });
  });

  it("has no gas and no block hash if they are not known", () => {
    const simulated = (receipt: object, at: object) => answer({}, receipt, at).told.preview.simulation;
    expect(simulated({}, { number: "0x1" })).toMatchObject({ gas_used: null, block_hash: "", block_number: 1 });
    expect(simulated({ gasUsed: "0x0" }, block)).toMatchObject({ gas_used: null });
    expect(simulated({ gasUsed: "0x1" }, block)).toMatchObject({ gas_used: 1 });
  });

  it("is of previews only", () => {
    const decision = { explanation, evidence: () => evidenceOf(), preview: told } as unknown as Decision;
    expect(() => toAnswer(caseFileOf(hash), decision)).toThrow("a preview is decided from the case file of one");
    const { preview: _, ...plain } = decision;
    expect(() => toAnswer(answer().caseFile, plain as Decision)).toThrow();
  });
});
