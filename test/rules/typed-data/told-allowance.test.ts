import { describe, expect, it } from "vitest";
import { shorten } from "../../../src/kernel/address.ts";
import { alice, maxUint, permit2, someone, spender, usdc } from "../../engine/assess/scene.ts";
import { decideFor, flagsOf, largest160, members, permitSingle, type Typed } from "./sample.ts";

const thief = someone("thief");

describe("an allowance that is to be signed", () => {
  it("is told with its spender, amount and end, as a grant and as a flag", () => {
    const { explanation, rule } = decideFor(permitSingle());
    expect(explanation).toMatchObject({
      summary: `${shorten(alice)} is asked to let ${shorten(spender)} spend unlimited USDC through Permit2 until 2027-01-03.`,
      action_type: "erc20_approval",
      outcome: "not_simulated",
      assets_moved: [],
      grants: [{ token: "USDC", amount: "unlimited", until: "2027-01-03T00:00:00Z", spender_label: null }],
      partial: false,
    });
    expect(rule?.id).toBe("permit2/sign-permit");
    expect(flagsOf({ explanation })).toEqual(["unlimited_approval"]);
    expect(explanation.provenance.untrusted_fields).toEqual([]);
  });

  it("is told once, and as unlimited among the grants too, where a number is told so", () => {
    const { explanation } = decideFor({
      types: { Permit: members("address owner, address spender, uint256 value, uint256 nonce, uint256 deadline") },
      primaryType: "Permit",
      domain: { name: "USD Coin", version: "2", chainId: 8453, verifyingContract: usdc },
      message: { owner: alice, spender, value: largest160, nonce: 0, deadline: 1_798_934_400 },
    });
    expect(explanation.summary).toMatch(/ spend unlimited USDC, if handed in by 2027-01-03\.$/);
    expect(explanation.grants).toMatchObject([{ token: "USDC", amount: "unlimited" }]);
  });

  it("does not get a name that is not proven: another verifyingContract, another type, no chain", () => {
    const foreign = decideFor(permitSingle(({ domain }) => Object.assign(domain, { verifyingContract: thief })));
    expect(foreign.rule).toBeNull();
    expect(foreign.explanation.summary).not.toContain("Permit2");
    expect(foreign.explanation.message).toMatchObject({ primary_type: "PermitSingle", contract_label: null });
    const added = decideFor(
      permitSingle(({ types, message }) => {
        types.PermitSingle?.push({ name: "note", type: "string" });
        message.note = "a login";
      }),
    );
    expect([added.rule, flagsOf(added)]).toEqual([null, ["unknown_message"]]);
    const anywhere = decideFor(permitSingle(({ domain }) => delete domain.chainId));
    expect([anywhere.rule, flagsOf(anywhere)]).toEqual([null, ["unknown_message", "no_chain"]]);
    expect(anywhere.explanation.summary).toContain("It names no chain, so it may count on every chain.");
  });

  it("never names a token by the contract that verifies, unless that is the token", () => {
    const permit: Typed = {
      types: { Permit: members("address owner, address spender, uint256 value, uint256 nonce, uint256 deadline") },
      primaryType: "Permit",
      domain: { name: "USD Coin", version: "2", chainId: 8453, verifyingContract: permit2 },
      message: { owner: alice, spender, value: "5000000", nonce: 0, deadline: 1_798_934_400 },
    };
    const { explanation } = decideFor(permit);
    expect(explanation.summary).not.toMatch(/USD|Permit2/);
    expect(explanation.summary).toContain("spend 5,000,000 raw units of token 0x0000…8BA3");
    const genuine = decideFor({ ...permit, domain: { ...permit.domain, name: "anything", verifyingContract: usdc } });
    expect(genuine.explanation.summary).toContain("spend 5 USDC, if handed in by 2027-01-03.");
  });

  it("tells a batch by its tokens, each of them as a grant", () => {
    const batch = permitSingle((typed) => {
      typed.primaryType = "PermitBatch";
      typed.types.PermitBatch = members("PermitDetails[] details, address spender, uint256 sigDeadline");
      delete typed.types.PermitSingle;
      const token = (i: number) => ({ token: someone(`token ${i}`), amount: "1000", expiration: 0, nonce: 0 });
      typed.message.details = [typed.message.details, ...[1, 2, 3, 4].map(token)];
    });
    const { explanation } = decideFor(batch);
    expect(explanation.summary).toMatch(
      /spend unlimited USDC, 1,000 raw units of token 0x\S+, 1,000 raw units of token 0x\S+ and 2 more assets through Permit2/,
    );
    expect(explanation.grants).toHaveLength(5);
  });

  it("through Permit2 is told whatever stands beside it, because anybody chooses the witness", () => {
    const witness = permitSingle((typed) => {
      typed.primaryType = "PermitWitnessTransferFrom";
      typed.types = {
        PermitWitnessTransferFrom: members(
          "TokenPermissions permitted, address spender, uint256 nonce, uint256 deadline, Login login",
        ),
        TokenPermissions: members("address token, uint256 amount"),
        Login: members("string text"),
      };
      typed.message = {
        permitted: { token: usdc, amount: maxUint.toString() },
        spender: thief,
        nonce: 1,
        deadline: 1_798_934_400,
        login: { text: "Sign in to OpenSea" },
      };
    });
    const { explanation, rule } = decideFor(witness);
    expect(rule?.id).toBe("permit2/sign-witness-transfer");
    expect(explanation.summary).toMatch(
      /is asked to let 0x\S+ take up to unlimited USDC, once, through Permit2 until 2027-01-03\. A part of it no rule here explains\.$/,
    );
    expect(explanation.partial).toBe(true);
    expect(flagsOf({ explanation })).toEqual(["unlimited_approval"]);
    expect(explanation.provenance.untrusted_fields).toEqual(["message.fields[5].value"]);
  });
});
