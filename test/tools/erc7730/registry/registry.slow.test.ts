import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { loadRuleset } from "../../../../src/rules/ruleset/load.ts";
import { findShared, root } from "../../../support/shared.ts";
import { tellAttempts } from "./attempt-values.ts";
import { runWalletTests } from "./wallet.ts";
import { readWalletTests } from "./wallet-test.ts";

const registry = findShared("clear-signing");

/** The share of values that are told, and the share of tests of which all values are told. */
function shares(kind: "rawTx" | "data"): { values: number; whole: number } {
  const tests = readWalletTests(registry as string).filter((test) => test[kind] !== undefined);
  expect(tests.length).toBeGreaterThan(50);
  const judged = runWalletTests(registry as string, tests).filter(({ told, lost }) => told + lost.length > 0);
  const told = judged.reduce((sum, one) => sum + one.told, 0);
  const lost = judged.reduce((sum, one) => sum + one.lost.length, 0);
  return { values: told / (told + lost), whole: judged.filter((one) => one.lost.length === 0).length / judged.length };
}

/** The values that wallets must show according to the tests of the public registry, told only by the imported rules. */
describe.skipIf(registry === undefined)("the registry's tests", () => {
  it("of calls are told", () => {
    const { values, whole } = shares("rawTx");
    expect(values).toBeGreaterThanOrEqual(0.92);
    expect(whole).toBeGreaterThanOrEqual(0.85);
  }, 120_000);

  it("hold functions whose attempts shipped rules tell, nearly all with values", () => {
    const attempts = tellAttempts(registry as string, loadRuleset(join(root, "rules")).ruleset);
    const told = attempts.reduce((sum, one) => sum + one.told.length, 0);
    const lost = attempts.reduce((sum, one) => sum + one.lost.length, 0);
    expect(attempts.length).toBeGreaterThan(300);
    expect(attempts.filter((one) => one.told.length === 0).length).toBeLessThanOrEqual(5);
    expect(told / (told + lost)).toBeGreaterThanOrEqual(0.86);
  }, 120_000);

  it("of messages are told", () => {
    expect(shares("data").values).toBeGreaterThanOrEqual(0.85);
  }, 120_000);
});
