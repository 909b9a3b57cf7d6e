import { encodeFunctionData } from "viem";
import { describe, expect, it } from "vitest";
import { findGrants } from "../../../src/engine/assess/grants/grants.ts";
import type { Address } from "../../../src/kernel/address.ts";
import type { RpcLog } from "../../../src/model/case-file.ts";
import { execTransaction, executionSuccess } from "../../support/envelopes.ts";
import {
  actOf,
  alice,
  approval,
  approvalForAll,
  approveCall,
  caseOf,
  erc20,
  findings,
  flagged,
  nftTransfer,
  type Scene,
  someone,
  spender,
  token,
  word,
} from "./scene.ts";

const collection = someone("collection");
const operator = someone("operator");
const flags = (scene: Scene) => flagged(scene, "approval_for_all");
const call = encodeFunctionData({ abi: erc20, functionName: "setApprovalForAll", args: [operator, true] });
const granted = { to: collection, input: call, logs: [approvalForAll(collection, alice, operator, true)] };
const proven = { tokens: { [collection]: { standard: "erc721" as const } } };

describe("approval_for_all fires", () => {
  it.each(["erc721", "erc1155"] as const)("for a collection that answers ERC-165 as %s", (standard) => {
    const [detail] = flags({ ...granted, tokens: { [collection]: { standard } } });
    expect(detail).toMatch(
      /^The operator 0x\w{40} may move every NFT that 0x\w{40} holds in the collection 0x\w{40}\.$/,
    );
  });

  it("for a collection of which NFTs move in the same transaction", () => {
    expect(
      flags({ ...granted, logs: [...granted.logs, nftTransfer(collection, alice, someone("bob"), 3n)] }),
    ).toHaveLength(1);
  });

  it("inside the call of a Safe, whose right it is", () => {
    const safe = someone("safe");
    const input = execTransaction(collection, 0n, call);
    const logs = [approvalForAll(collection, safe, operator, true), executionSuccess(safe)];
    expect(flags({ to: safe, input, logs, ...proven })).toHaveLength(1);
  });
});

describe("approval_for_all stays silent", () => {
  it("when the right is taken back", () => {
    expect(flags({ ...granted, ...proven, logs: [approvalForAll(collection, alice, operator, false)] })).toEqual([]);
  });

  it("when it is given and taken back in one transaction, and keeps that as evidence", () => {
    const logs = [...granted.logs, approvalForAll(collection, alice, operator, false)];
    expect(flags({ ...granted, ...proven, logs })).toEqual([]);
    expect(findings({ ...granted, ...proven, logs })).toMatchObject([{ flag: null, basis: "revoked_in_tx" }]);
  });

  it("when it is somebody else's", () => {
    expect(flags({ ...proven, logs: [approvalForAll(collection, someone("bob"), operator, true)] })).toEqual([]);
  });

  it("when the emitter does not prove to be a collection: evidence only", () => {
    const scene = { ...granted, tokens: { [collection]: { standard: null, symbol: "FOO" } } };
    expect(flags(scene)).toEqual([]);
    expect(findings(scene)).toMatchObject([{ flag: null, basis: "unproven_emitter" }]);
  });
});

const nobody = `0x${"0".repeat(40)}` as Address;
const nftApproval = (owner: Address, grantee: Address): RpcLog => ({
  address: token,
  topics: [...approval(token, owner, grantee, 0n).topics, word(7n)],
  data: "0x",
});
const grantsOf = (...logs: RpcLog[]) => findGrants(actOf(caseOf({ to: token, input: approveCall(spender, 7n), logs })));
const whole = {
  owner: alice,
  token,
  grantee: spender,
  manager: null,
  expiration: null,
  uncertain: false,
  basis: "event_only",
};

describe("a right over NFTs", () => {
  it("is one over a single one, or over all", () => {
    expect(grantsOf(nftApproval(alice, spender))).toEqual([
      { ...whole, kind: "nft", amount: null, stands: true, logs: [0], key: "7" },
    ]);
    expect(grantsOf(approvalForAll(token, alice, spender, true))).toEqual([
      { ...whole, kind: "operator", amount: null, stands: true, logs: [0] },
    ]);
    expect(grantsOf(approval(token, alice, spender, 7n))).toEqual([
      { ...whole, kind: "erc20", amount: 7n, stands: true, logs: [0] },
    ]);
  });

  it("is none of somebody else, and none for nobody", () => {
    expect(grantsOf(nftApproval(someone("bob"), spender), nftApproval(alice, nobody))).toEqual([]);
    expect(grantsOf(approvalForAll(token, alice, spender, false))).toEqual([]);
  });

  it("has the last word of all logs about it", () => {
    const taken = grantsOf(approvalForAll(token, alice, spender, true), approvalForAll(token, alice, spender, false));
    expect(taken).toEqual([{ ...whole, kind: "operator", amount: null, stands: false, logs: [0, 1] }]);
    const other = someone("other");
    const both = grantsOf(approvalForAll(token, alice, spender, true), approvalForAll(token, alice, other, true));
    expect(both.map(({ grantee }) => grantee)).toEqual([spender, other]);
  });

  it("is not what a log of another form says", () => {
    const bad = `0x${"f".repeat(64)}` as const;
    const one = approval(token, alice, spender, 7n);
    expect(grantsOf({ ...one, topics: one.topics.with(1, bad) }, { ...one, topics: one.topics.with(2, bad) })).toEqual(
      [],
    );
    expect(grantsOf({ ...one, data: "0x" })).toEqual([]);
    expect(grantsOf({ ...one, topics: one.topics.with(0, bad) })).toEqual([]);
  });
});
