import { describe, expect, it } from "vitest";
import { shorten } from "../../../src/kernel/address.ts";
import { alice, someone, spender } from "../../engine/assess/scene.ts";
import { decideFor, flagsOf, members, type Typed } from "./sample.ts";

const collection = someone("collection");
const forAll = (approved: boolean): Typed => ({
  types: { PermitForAll: members("address operator, bool approved, uint256 nonce, uint256 deadline") },
  primaryType: "PermitForAll",
  domain: { name: "Positions", chainId: 8453, verifyingContract: collection },
  message: { operator: spender, approved, nonce: 0, deadline: 1_798_934_400 },
});

describe("a right over a whole collection that is to be signed", () => {
  it("is told as a grant and as a flag", () => {
    const { explanation, rule } = decideFor(forAll(true));
    expect(rule?.id).toBe("nft/sign-permit-all");
    expect(explanation).toMatchObject({
      action_type: "approval_for_all",
      summary: `${shorten(alice)} is asked to let ${shorten(spender)} move every NFT that it holds of ${shorten(collection)}, if handed in by 2027-01-03.`,
      grants: [{ amount: null, until: null }],
    });
    expect(flagsOf({ explanation })).toEqual(["approval_for_all"]);
  });

  it("is none where it is taken back", () => {
    const { explanation } = decideFor(forAll(false));
    expect([explanation.action_type, explanation.grants, flagsOf({ explanation })]).toEqual([
      "approval_revoked",
      [],
      [],
    ]);
  });

  it("raises the same flag where a Safe is asked to give it", () => {
    const word = (hex: string) => hex.replace("0x", "").padStart(64, "0");
    const { explanation } = decideFor({
      types: {
        SafeTx: members(
          "address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, uint256 nonce",
        ),
      },
      primaryType: "SafeTx",
      domain: { chainId: 8453, verifyingContract: someone("safe") },
      message: {
        ...{ to: collection, value: 0, data: `0xa22cb465${word(spender)}${word("0x1")}`, operation: 0, safeTxGas: 0 },
        ...{
          baseGas: 0,
          gasPrice: 0,
          gasToken: `0x${"0".repeat(40)}`,
          refundReceiver: `0x${"0".repeat(40)}`,
          nonce: 0,
        },
      },
    });
    expect(flagsOf({ explanation })).toEqual(["approval_for_all"]);
  });
});

describe("a delegation that is to be signed", () => {
  const manager = "0xdb9B1e94B5b69Df7e401DDbedE43491141047dB3";
  const limit = "0xf100b0819427117EcF76Ed94B358B1A5b5C6D2Fc";
  const delegation = (caveats: object[]): Typed => ({
    types: {
      Delegation: members("address delegate, address delegator, bytes32 authority, Caveat[] caveats, uint256 salt"),
      Caveat: members("address enforcer, bytes terms"),
    },
    primaryType: "Delegation",
    domain: { name: "DelegationManager", version: "1", chainId: 8453, verifyingContract: manager },
    message: { delegate: spender, delegator: alice, authority: `0x${"ff".repeat(32)}`, caveats, salt: 0 },
  });
  const usdcWith = (amount: string) => `0x833589fcd6edb6e08f4c7c32d4f71b54bda02913${amount}`;
  const told = (caveats: object[]) => decideFor(delegation(caveats));

  it("tells a limit of tokens as a grant, with a flag where it is none", () => {
    const some = told([{ enforcer: limit, terms: usdcWith((5_000_000).toString(16).padStart(64, "0")) }]);
    expect(some.explanation.summary).toMatch(/act in its name under 1 condition: only transfers of up to 5 USDC\.$/);
    expect([some.explanation.grants.length, flagsOf(some)]).toEqual([1, []]);
    expect(flagsOf(told([{ enforcer: limit, terms: usdcWith("ff".repeat(32)) }]))).toEqual(["unlimited_approval"]);
  });

  it("tells that there is no limit, and who decides where terms cannot be read", () => {
    expect(told([]).explanation.summary).toMatch(/act in its name, without any limit\.$/);
    const short = told([{ enforcer: limit, terms: "0x1234" }]).explanation;
    expect(short.summary).toMatch(/act in its name under 1 condition, but without a known limit of tokens\.$/);
    expect(short.grants).toEqual([]);
  });
});
