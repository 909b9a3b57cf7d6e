import { describe, expect, it } from "vitest";
import type { Address } from "../../../src/kernel/address.ts";
import {
  alice,
  bob,
  carol,
  caseOf,
  listedNothing,
  logOf,
  token,
  transferLog,
  usdc,
  vault,
} from "../../support/case-of.ts";
import { compileOwn, decideBy } from "../../support/own-rules.ts";
import { shippedTeller } from "../../support/wording.ts";
import { head } from "./hub-rules.ts";

const teller = shippedTeller();
const saved = "event Saved(address indexed who, address indexed owner, uint256 amount)";
/** A rule about savings whose leg may state the amount. */
const rulesOf = (leg: string, does: string) =>
  compileOwn(
    `${head("hub").replace("abi:", `abi:\n  Saved: "${saved}"`)}
  - id: save
    action: stake
    anchor: { event: Saved }
    at: hub
    subject: who
    money: { paid: ${leg}, gives: some fungible }
    values: { amount: amount of paid.token, owner: owner as other }
    say: "${does}"
`,
  );
const exact = "{ from: subject, to: hub, amount: amount }";
const any = "{ from: subject, to: hub, optional: true }";

/** Each saving is paid for, and told of. */
const savings = (...each: [owner: Address, millions: bigint][]) =>
  caseOf({
    ...listedNothing,
    receipt: {
      logs: each.flatMap(([owner, millions]) => {
        const amount = millions * 1_000_000n;
        return [transferLog(usdc, alice, vault, amount), logOf(vault, saved, { who: alice, owner, amount })];
      }),
    },
  });
const summary = (rules: ReturnType<typeof rulesOf>, ...each: [Address, bigint][]) =>
  decideBy(rules, savings(...each)).explanation.summary;

describe("two acts of one rule whose leg states the amount", () => {
  const [a, b] = [alice, bob].map((one) => teller.short(one));
  it.each([
    ["a capture", "save {amount}[ for {owner}]"],
    ["what was given", "save {gives}[ for {owner}]"],
  ])("are each told with its own amount, by %s", (_, does) => {
    const rules = rulesOf(exact, does);
    expect(summary(rules, [alice, 100n], [bob, 1_000n])).toBe(
      `${a} saved 100 USDC. It also saved 1,000 USDC for ${b}.`,
    );
    expect(summary(rules, [bob, 1_000n], [alice, 100n])).toBe(
      `${a} saved 1,000 USDC for ${b}. It also saved 100 USDC.`,
    );
  });

  it("are told together if no leg states it", () => {
    expect(summary(rulesOf(any, "save {gives}[ for {owner}]"), [alice, 100n], [bob, 1_000n])).toBe(
      `${a} saved 1,100 USDC. It also did a part of it for ${b} (1,000 USDC).`,
    );
  });
});

describe("more acts than are told in words", () => {
  const small: [Address, bigint][] = [1n, 2n, 3n, 4n].map((millions) => [alice, millions]);
  const rules = rulesOf(exact, "save {amount}[ for {owner}]");
  it("start with those for which most was given", () => {
    expect(summary(rules, ...small, [carol, 900n])).toContain(
      `also saved 900 USDC for ${teller.short(carol)}, saved 4`,
    );
  });

  it("name the accounts that the others were for", () => {
    const told = summary(rules, ...small, [bob, 100n], [carol, 900n], [token, 200n]);
    const [most, less, least] = [carol, token, bob].map((one) => teller.short(one));
    expect(told).toContain(
      `also did a part of it for ${most} (900 USDC), ${less} (200 USDC) and ${least} (100 USDC), gave 1,210 USDC for it`,
    );
  });
});
