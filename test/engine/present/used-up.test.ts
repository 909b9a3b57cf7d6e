import { describe, expect, it } from "vitest";
import { isUsedUp } from "../../../src/engine/present/given/grants.ts";
import { tierRank } from "../../../src/rules/ruleset/actions.ts";
import { alice, bob, logOf, usdc } from "../../support/case-of.ts";

const event = "event Approval(address indexed owner, address indexed spender, uint256 value)";
const log = { ...(logOf(usdc, event, { owner: alice, spender: bob, value: 5n }) as object), address: usdc, index: 0 };
const act = (logs: number[], tier = tierRank("approval")) =>
  ({ rule: { tier }, logs, context: { tx: { logs: [log] } } }) as never;
const book = (...grants: object[]) => ({ grants }) as never;

describe("an allowance that an act tells", () => {
  it("is used up where the book of rights has it no more", () => {
    expect(isUsedUp(act([0]), book())).toBe(true);
    expect(isUsedUp(act([0]), book({ logs: [0], stands: false }))).toBe(true);
    expect(isUsedUp(act([0]), book({ logs: [1], stands: true }))).toBe(true);
  });

  it("is told where it stands, also where it is not certain that it is new, and where the act is no allowance", () => {
    expect(isUsedUp(act([0]), book({ logs: [0], stands: true, uncertain: false }))).toBe(false);
    expect(isUsedUp(act([0]), book({ logs: [0], stands: true, uncertain: true }))).toBe(false);
    expect(isUsedUp(act([0], tierRank("transfer")), book())).toBe(false);
    expect(isUsedUp(act([]), book())).toBe(false);
  });
});
