import { describe, expect, it } from "vitest";
import { checksum } from "../../../src/kernel/address.ts";
import { CaseOutcome, newViolation } from "../../../src/tools/lint/mutation/case-outcome.ts";
import { forgers } from "../../../src/tools/lint/mutation/stranger.ts";
import { outcomeOf, pool, subject } from "./forged-case.ts";
import { alice, base, bob, caseOf, originalOf, world } from "./weak-original.ts";

describe("what comes of a case", () => {
  it("has acts of each account for which one stands", () => {
    const outcome = new CaseOutcome(base, world);
    const acts = (...subjects: string[]) => {
      const trial = { actions: subjects.map((subject) => ({ context: { subject } })) };
      Object.defineProperty(outcome, "trial", { value: trial, configurable: true });
      return outcome.hasActionOf(alice);
    };
    expect([acts(bob, alice), acts(alice, bob), acts(bob), acts()]).toEqual([true, true, false, false]);
    expect([originalOf().outcome.hasActionOf(alice), originalOf().outcome.hasActionOf(bob)]).toEqual([true, false]);
  });

  it("is made once", () => {
    const outcome = new CaseOutcome(base, world);
    expect([outcome.trial, outcome.decision]).toEqual([outcome.trial, outcome.decision]);
    expect(outcome.trial).toBe(outcome.trial);
    expect(outcome.decision).toBe(outcome.decision);
    expect(outcome.summary).toBe(outcome.decision.explanation.summary);
  });

  it("breaks laws of money where the answer hides a loss", () => {
    const violations = (summary?: string) => {
      const outcome = new CaseOutcome(caseOf(), world);
      const { explanation } = outcome.decision;
      const decision = { explanation: { ...explanation, summary: summary ?? explanation.summary } };
      Object.defineProperty(outcome, "decision", { value: decision });
      return outcome.violations();
    };
    expect(violations()).toEqual([]);
    const told = violations("Somebody did nothing.");
    expect(told.length).toBeGreaterThan(0);
    for (const one of told) expect(one).toMatch(/^law [2-5]: \S/);
    expect(told.join()).toContain(checksum(alice));
  });

  it("has violations that were not there before", () => {
    const [one, two] = [`law 2: ${checksum(subject)}`, `law 3: ${checksum(subject)} ${checksum(pool)}`];
    const found = (before: string[], now: string[], ...accounts: (typeof subject)[]) =>
      newViolation(outcomeOf({ violations: now }), outcomeOf({ violations: before }), accounts);
    expect(found([], [one, two], subject)).toBe(one);
    expect(found([one], [one, two], subject)).toBe(two);
    expect(found([one, two], [one, two], subject)).toBeNull();
    expect(found([], [one, two], pool)).toBe(two);
    expect(found([], [one, two], forgers.thief, pool)).toBe(two);
    expect(found([], [one, two], forgers.thief)).toBeNull();
    expect(found([], [one, two])).toBeNull();
  });
});
