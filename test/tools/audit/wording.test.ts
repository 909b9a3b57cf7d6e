import { describe, expect, it } from "vitest";
import { checksum, shorten } from "../../../src/kernel/address.ts";
import type { Explanation } from "../../../src/model/explanation.ts";
import { alice, bob, caseOf, transferLog, usdc } from "../../support/case-of.ts";
import { shippedTeller } from "../../support/wording.ts";
import { approvalLog, lawsBroken, movedUsdc, thousand, told } from "./scene.ts";

const teller = shippedTeller();
const [a, b] = [alice, bob].map(shorten);
const phrase = (text: string) => ({ text, untrusted: false });

describe("the shipped wording", () => {
  const gift = caseOf({ receipt: { logs: [transferLog(usdc, alice, bob, thousand)] } });
  const answer = (missing: string): Explanation =>
    told(`${a} called ${b}. ${missing}`, [movedUsdc(alice, bob, thousand)], { partial: true });

  it.each([
    teller.say("asset.more", { count: 1 }).text,
    teller.say("asset.more", { count: 5 }).text,
    teller.say("missing.left_over", { assets: phrase("1,000 USDC sent"), count: 1 }).text,
    teller.say("missing.left_over", { assets: phrase("1 DAI and 1,000 USDC sent"), count: 2 }).text,
    teller.say("missing.cut", { what: "5 logs" }).text,
    teller.say("missing.nested_calls", {}).text,
  ])("says to the auditor that something is left out: %s", (missing) => {
    expect(lawsBroken(gift, answer(missing))).toEqual([]);
  });

  it.each([teller.say("missing.movements_cut", { count: 63 }).text, teller.say("missing.ether", {}).text])(
    "says to the auditor that nothing of the sender's is left out: %s",
    (missing) => {
      expect(lawsBroken(gift, answer(missing))).toEqual([3]);
    },
  );

  it.each(["role.spender", "role.operator", "role.delegate"] as const)("tells power as %s", (role) => {
    const file = caseOf({ receipt: { logs: [approvalLog(usdc, alice, bob, 5n)] } });
    const party = teller.say(role, { address: bob }).text;
    const detail = `No source code is published for ${party}.`;
    const flagged = told(`${a} called a contract.`, [], { risk_flags: [{ flag: "unverified_contract", detail }] });
    expect(lawsBroken(file, flagged)).toEqual([]);
    const recipient = {
      ...flagged,
      risk_flags: [{ ...flagged.risk_flags[0]!, detail: `the recipient ${checksum(bob)}` }],
    };
    expect(lawsBroken(file, recipient)).toEqual([5]);
  });
});
