import { describe, expect, it } from "vitest";
import { readAsked } from "../../../src/rules/typed-data/asked.ts";
import { alice, permit2, usdc } from "../../engine/assess/scene.ts";
import { problemOf, refusalOf } from "./refusal.ts";
import { members, permitSingle } from "./sample.ts";

const me = `0x${"a1".repeat(20)}`;

describe("what else is signed", () => {
  it("is one of three forms", () => {
    expect(problemOf(() => readAsked({}))).toContain(
      "one of `typed_data`, `authorization` and `user_operation` was expected",
    );
    expect(problemOf(() => readAsked({ typed_data: permitSingle(), authorization: {} }))).toContain("was expected");
  });

  it.each([
    [{ typed_data: null }, "it is no object"],
    [{ authorization: "0x" }, "`authorization` is no object"],
    [{ authorization: { address: usdc } }, "`authorization.chain_id` is missing"],
    [{ authorization: { chain_id: 8453, address: "0x" } }, "`authorization.address` is `0x`, which is no address"],
    [
      { authorization: { chain_id: null, address: usdc } },
      "`authorization.chain_id` is `nothing`, which is no uint256",
    ],
    [{ authorization: { chain_id: 8453 } }, "`authorization.address` is missing"],
    [{ user_operation: [], entry_point: permit2 }, "`user_operation` is no object"],
    [{ user_operation: { sender: alice } }, "`entry_point` is missing"],
    [{ user_operation: { sender: "me" }, entry_point: permit2 }, "`message.sender` is `me`, which is no address"],
  ])("%j is refused: %s", (form, problem) => {
    expect(problemOf(() => readAsked(form))).toContain(problem);
  });

  it("of another chain is refused; chain 0 is every chain", () => {
    expect(problemOf(() => readAsked({ authorization: { chain_id: 10, address: usdc } }))).toBe(
      "other_chain: The authorization is for chain 10; only chain 8453 (Base) is explained here.",
    );
    expect(readAsked({ authorization: { chain_id: 0, address: usdc } }).domain.chainId).toBeNull();
  });
});

describe("a request to sign", () => {
  it("of an authorization is told as three fields", () => {
    const fields = (chainId: bigint, nonce: bigint) => [
      { path: "chain_id", type: "uint256", value: chainId },
      { path: "address", type: "address", value: me },
      { path: "nonce", type: "uint64", value: nonce },
    ];
    const none = { name: null, version: null, verifyingContract: null, salt: null };
    expect(readAsked({ authorization: { chain_id: 0, address: me } })).toEqual({
      ...{
        domain: { ...none, chainId: null },
        data: null,
        delegate: me,
        fields: fields(0n, 0n),
        primaryType: null,
        account: null,
      },
    });
    expect(readAsked({ authorization: { chain_id: "0x2105", address: me, nonce: "0x7" } })).toEqual({
      ...{ domain: { ...none, chainId: 8453n }, data: null, delegate: me, fields: fields(8453n, 7n) },
      ...{ primaryType: null, account: null },
    });
    const chain_id = (2n ** 256n).toString();
    expect(refusalOf(() => readAsked({ authorization: { chain_id, address: me } }))).toMatch(
      /, which is no uint256\.$/,
    );
    const nonce = (2n ** 64n).toString();
    expect(refusalOf(() => readAsked({ authorization: { chain_id: 0, address: me, nonce } }))).toBe(
      `\`authorization.nonce\` is \`${nonce}\`, which is no uint64.`,
    );
  });

  it("of a user operation has the members that were left out", () => {
    const { data, delegate, domain, fields } = readAsked({
      user_operation: { sender: me, nonce: 1 },
      entry_point: me,
    });
    const empty = `0x${"0".repeat(64)}`;
    expect(data?.values).toEqual([me, 1n, "0x", "0x", empty, 0n, empty, "0x"]);
    expect([data?.primaryType, delegate]).toEqual(["PackedUserOperation", null]);
    expect(fields.map(({ path }) => path)).toEqual([
      ...["sender", "nonce", "initCode", "callData", "accountGasLimits", "preVerificationGas", "gasFees"],
      "paymasterAndData",
    ]);
    expect(domain).toEqual({ name: "ERC4337", version: "1", chainId: 8453n, verifyingContract: me, salt: null });
  });

  it("lists all of its fields", () => {
    const raw = { types: { A: members("uint8[] x") }, primaryType: "A", domain: {}, message: { x: Array(40).fill(1) } };
    expect(readAsked({ typed_data: raw }).fields).toHaveLength(40);
  });
});
