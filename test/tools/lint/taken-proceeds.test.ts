import { numberToHex, pad } from "viem/utils";
import { expect, it } from "vitest";
import { transferTopic } from "../../../src/kernel/token-standards.ts";
import { takenProceeds } from "../../../src/tools/lint/mutation/added-loss.ts";
import { CaseOutcome } from "../../../src/tools/lint/mutation/case-outcome.ts";
import { forgers } from "../../../src/tools/lint/mutation/stranger.ts";
import { alice, base, originalOf, weth, world } from "./weak-original.ts";

/** The example in which alice gets so much. */
const getting = (amount: bigint) => {
  const logs = base.receipt.logs.map((log, i) => (i === 1 ? { ...log, data: numberToHex(amount, { size: 32 }) } : log));
  return originalOf({ ...base, receipt: { ...base.receipt, logs } });
};

it("most of what the subject gets is taken, on each stage, where it can be parted", () => {
  const mutants = takenProceeds(getting(70n));
  const topics = [transferTopic, pad(alice), pad(forgers.thief)];
  const taken = { address: weth, topics, data: numberToHex(63n, { size: 32 }) };
  expect(mutants.map(({ kind, caseFile }) => [kind, caseFile.receipt.logs.at(-1)])).toEqual([
    ["taken-proceeds", taken],
    ["taken-proceeds", taken],
  ]);
  for (const { judge, caseFile } of mutants) expect(judge(new CaseOutcome(caseFile, world))).toBeNull();
  expect(takenProceeds(getting(9n))).toEqual([]);
});
