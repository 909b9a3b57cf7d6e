import { describe, expect, it } from "vitest";
import type { Address } from "../../../src/kernel/address.ts";
import { alice, carol, usdc } from "../../support/case-of.ts";
import { acts, loss, tell, teller } from "./summary-parts.ts";

const people = Array.from({ length: 6 }, (_, i) => `0x${`${i + 1}`.repeat(40)}` as Address);
const grants = (count: number, owner: Address = alice) =>
  people.slice(0, count).map((grantee, i) => ({
    ...{ owner, token: usdc, grantee, amount: 5_000_000n, stands: true, uncertain: false, logs: [i] },
  }));
const allowed = (count: number) => teller.say("summary.allowed_more", { count }).text;
const lost = (count: number) => teller.say("summary.lost_more", { count }).text;

describe("allowances for which the summary has no room", () => {
  it.each([
    [5, 1],
    [6, 2],
  ])("are counted as what they are: of %i, %i", (count, left) => {
    const { text, cut } = tell({ actions: acts("paid"), grants: grants(count) });
    expect(text).toMatch(new RegExp(` and ${allowed(left)}\\.$`));
    expect(text).not.toContain(lost(left));
    expect(cut).toBe(true);
  });

  it("are counted apart from what was lost", () => {
    const losses = people.slice(0, 5).map((to) => loss(1_000_000n, to));
    expect(tell({ actions: acts("paid"), losses, grants: grants(2) }).text).toMatch(
      new RegExp(`, ${lost(1)} and ${allowed(2)}\\.$`),
    );
    const one = tell({ actions: acts("paid"), losses: losses.slice(0, 3), grants: grants(3) });
    expect(one.text).toMatch(new RegExp(` and ${allowed(2)}\\.$`));
  });

  it("of others are not counted for the account", () => {
    const losses = people.slice(0, 5).map((to) => loss(1_000_000n, to));
    const { text } = tell({ actions: acts("paid"), losses, grants: grants(3, carol) });
    expect(text).toContain(lost(1));
    expect(text).not.toContain(allowed(1));
  });
});
