import { describe, expect, it } from "vitest";
import { planMessage } from "../../../src/engine/messages/decide-message.ts";
import { checksum, shorten } from "../../../src/kernel/address.ts";
import { limits } from "../../../src/kernel/limits.ts";
import { alice, someone, usdc } from "../../engine/assess/scene.ts";
import { labels, ruleset } from "../../property/world.ts";
import { decideFor, flagsOf, members } from "./sample.ts";

const thief = someone("thief");

/** A message that no rule knows: filler members, then one value. The contract is a known token. */
function strange(type: string, value: unknown, fillers = 5, domain: object = {}) {
  const names = Array.from({ length: fillers }, (_, i) => `string a${i}`);
  return {
    types: { Login: members([...names, `${type} last`].join(", ")) },
    primaryType: "Login",
    domain: { name: "USD Coin", version: "2", chainId: 8453, verifyingContract: usdc, ...domain },
    message: { ...Object.fromEntries(names.map((_, i) => [`a${i}`, "hello"])), last: value },
  };
}

describe("a message that no rule knows", () => {
  it.each<[string, string, unknown]>([
    ["an address", "address", thief],
    ["text", "string", checksum(thief)],
    ["32 bytes", "bytes32", `0x${"0".repeat(24)}${thief.slice(2)}`],
    ["20 bytes", "bytes20", thief],
    ["bytes", "bytes", thief],
  ])("tells whom it names behind harmless values, as %s", (_what, type, value) => {
    for (const fillers of [5, limits.signedFieldsMax + 5]) {
      const typed = strange(type, value, fillers);
      const decision = decideFor(typed);
      const { summary, counterparties } = decision.explanation;
      expect(summary).toContain(`"last" ${shorten(thief)}`);
      expect(counterparties.map(({ address }) => address)).toContain(checksum(thief));
      expect(flagsOf(decision)).toEqual(["unknown_message"]);
      const plan = planMessage({ from: alice, typed_data: typed }, { ruleset, labels, lookupsMax: 8 });
      expect(JSON.stringify(plan.risk)).toContain(thief);
    }
  });

  it.each<[string, string, unknown]>([
    ["the signer", "address", alice],
    ["the contract that checks it", "address", usdc],
    ["nobody", "address", `0x${"0".repeat(40)}`],
    ["a number in 32 bytes", "bytes32", `0x${"0".repeat(63)}7`],
    ["bytes that are longer", "bytes", `${thief}00`],
  ])("puts nothing before the others that names %s", (_what, type, value) => {
    expect(decideFor(strange(type, value)).explanation.summary).not.toContain(`"last"`);
  });

  it("names those that nobody knows before known contracts", () => {
    const typed = strange("address", thief, 0);
    const weth = "0x4200000000000000000000000000000000000006";
    typed.types.Login?.unshift(...members("address b0, address b1, address b2, address b3"));
    Object.assign(typed.message, {
      b0: weth,
      b1: weth.replace(/6$/, "7"),
      b2: weth.replace(/6$/, "f"),
      b3: weth.replace(/06$/, "10"),
    });
    expect(decideFor(typed).explanation.summary).toContain(`"last" ${shorten(thief)}`);
  });

  it("may name no chain by its number, and no contract by its address", () => {
    const decision = decideFor(strange("address", thief, 0, { chainId: 0, verifyingContract: `0x${"0".repeat(40)}` }));
    expect(flagsOf(decision)).toEqual(["unknown_message", "no_chain"]);
    expect(decision.explanation.message.contract).toBeNull();
  });
});
