import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { buildEngine } from "../../src/engine/build-engine.ts";
import type { CaseFile } from "../../src/model/case-file.ts";
import { labelsDir } from "../support/labels.ts";
import { caseFileOf, hashOf } from "../support/sample.ts";
import { shippedWorld } from "./world.ts";

interface Deposit {
  name: string;
  from: string;
  to: string;
  selectors: string[];
}

const { deposits } = parse(readFileSync(join(labelsDir, "chain.yaml"), "utf8")) as { deposits: Deposit[] };
const { ruleset, labels } = shippedWorld();
const engine = buildEngine(ruleset, labels);

const told = (from: string, to: string, input: string) => {
  const file: CaseFile = caseFileOf(hashOf(1));
  const transaction = { ...file.transaction, type: "0x7e", from, to, input, value: "0x0" };
  const receipt = { ...file.receipt, from, to, logs: [] };
  return engine.decide({ ...file, transaction, receipt, trace: { source: "none", reason: "" } }).explanation;
};
const words: Record<string, string> = {
  "L1 attributes": "The chain recorded the attributes of its current Ethereum block.",
  BaseTime: "The chain set the time of its block to 200 milliseconds past the full second.",
};

describe("what the chain itself puts into blocks", () => {
  it.each(deposits.flatMap((one) => one.selectors.map((selector) => ({ ...one, selector }))))(
    "is told as what it is: $name by $selector",
    ({ name, from, to, selector }) => {
      const { summary, action_type, partial } = told(
        from,
        to,
        `${selector}${(200).toString(16).padStart(64, "0")}${"0".repeat(7 * 64)}`,
      );
      expect([action_type, summary, partial]).toEqual(["system_transaction", words[name], false]);
    },
  );

  it("is told without guesses where nobody knows it", () => {
    const from = deposits[0]?.from ?? "";
    const oracle = "0x420000000000000000000000000000000000000f";
    const untraced = "Ether moved inside the call could not be traced.";
    expect(told(from, oracle, "0x291b0383").summary).toBe(
      `The chain changed the settings of its own contract GasPriceOracle for the upgrade Isthmus. ${untraced}`,
    );
    expect(told(from, oracle, "0x12345678").summary).toBe(
      `The chain called its own contract GasPriceOracle. ${untraced}`,
    );
    expect(told(from, deposits[0]?.to ?? "", "0x12345678").summary).toBe(
      `The chain called its own contract L1Block. ${untraced}`,
    );
  });

  it("is nothing that an account could do", () => {
    const [{ to, selectors }] = deposits as [Deposit];
    expect(told(`0x${"a".repeat(40)}`, to, selectors[0] ?? "").action_type).not.toBe("system_transaction");
  });
});
