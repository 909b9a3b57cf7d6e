import { numberToHex } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { describe, expect, it } from "vitest";
import { toAddress } from "../../../src/kernel/address.ts";
import type { CaseFile } from "../../../src/model/case-file.ts";
import { findPrincipals } from "../../../src/tools/audit/facts/principals.ts";
import { readFacts } from "../../../src/tools/audit/facts/read-facts.ts";
import {
  alice,
  bob,
  calldata,
  carol,
  caseOf,
  frame,
  logOf,
  token,
  transferLog,
  usdc,
  vault,
} from "../../support/case-of.ts";
import { execTransaction } from "../../support/envelopes.ts";
import { entryPoint, knowledge, operationLog, permit2, safeImplementation, taking, tracedCase } from "./scene.ts";

const principalsOf = (file: CaseFile) => Object.fromEntries(findPrincipals(readFacts(file, knowledge), knowledge));
const used = (at: string) =>
  logOf(at, "event AuthorizationUsed(address indexed authorizer, bytes32 indexed nonce)", {
    authorizer: bob,
    nonce: `0x${"2".repeat(64)}`,
  });

describe("the principals of a transaction", () => {
  it("are only the sender, no matter what strangers emit", () => {
    const logs = [operationLog(vault, bob), used(token), transferLog(token, bob, carol, 5n)];
    const success = logOf(vault, "event ExecutionSuccess(bytes32 txHash, uint256 payment)", {
      txHash: `0x${"3".repeat(64)}`,
      payment: 0n,
    });
    expect(principalsOf(caseOf({ receipt: { logs: [...logs, success] } }))).toEqual({ [alice]: "sender" });
  });

  it("are accounts whose operations a genuine EntryPoint executed", () => {
    const file = caseOf({ receipt: { logs: [operationLog(entryPoint, bob)] } });
    expect(principalsOf(file)).toEqual({ [alice]: "sender", [bob]: "operation" });
  });

  it("are signers of EIP-7702 authorizations for this chain or every one", async () => {
    const account = privateKeyToAccount(`0x${"42".repeat(32)}`);
    const sign = async (chainId: number) => {
      const signed = await account.signAuthorization({ chainId, nonce: 7, address: carol });
      const signature = { yParity: numberToHex(signed.yParity ?? 0), r: signed.r, s: signed.s };
      return { chainId: numberToHex(chainId), address: carol, nonce: "0x7", ...signature };
    };
    const withList = async (chainId: number) => caseOf({ transaction: { authorizationList: [await sign(chainId)] } });
    const found = { [alice]: "sender", [toAddress(account.address)]: "delegation" };
    expect(principalsOf(await withList(8453))).toEqual(found);
    expect(principalsOf(await withList(0))).toEqual(found);
    expect(principalsOf(await withList(1))).toEqual({ [alice]: "sender" });
    const unsigned = { chainId: "0x2105", address: carol, nonce: "0x7" };
    expect(principalsOf(caseOf({ transaction: { authorizationList: [unsigned] } }))).toEqual({ [alice]: "sender" });
  });

  it("are Safes whose call ran at a genuine implementation", () => {
    const input = execTransaction(bob, 0n);
    const inside = (to: string) => [
      frame(vault, bob, { input, calls: [frame(bob, to, { type: "DELEGATECALL", input })] }),
    ];
    expect(principalsOf(tracedCase(inside(safeImplementation)))).toEqual({ [alice]: "sender", [bob]: "safe" });
    expect(principalsOf(tracedCase(inside(carol)))).toEqual({ [alice]: "sender" });
    const failed = inside(safeImplementation).map((call) => ({ ...call, error: "execution reverted" }));
    expect(principalsOf(tracedCase(failed))).toEqual({ [alice]: "sender" });
  });

  it("are owners of used permits and signed transfers of listed tokens", () => {
    const transfer = transferLog(usdc, bob, carol, 5n);
    expect(principalsOf(caseOf({ receipt: { logs: [used(usdc), transfer] } }))).toEqual({
      [alice]: "sender",
      [bob]: "permit",
    });
    expect(principalsOf(caseOf({ receipt: { logs: [used(usdc)] } }))).toEqual({ [alice]: "sender" });
    const permit = calldata(
      "function permit(address owner, address spender, uint256 value, uint256 deadline, uint8 v, bytes32 r, bytes32 s)",
      [bob, carol, 5n, 0n, 27, `0x${"1".repeat(64)}`, `0x${"1".repeat(64)}`],
    );
    const at = (address: string) => tracedCase([frame(vault, address, { input: permit })]);
    expect(principalsOf(at(usdc))).toEqual({ [alice]: "sender", [bob]: "permit" });
    expect(principalsOf(at(token))).toEqual({ [alice]: "sender" });
    expect(principalsOf(tracedCase([taking(permit2, usdc, bob, carol, 5n)]))).toEqual({
      [alice]: "sender",
      [bob]: "permit",
    });
  });

  it("are owners of listed tokens that others took, unless they acted themselves", () => {
    const taken = taking(vault, usdc, bob, carol, 5n);
    expect(principalsOf(tracedCase([taken]))).toEqual({ [alice]: "sender", [bob]: "allowance" });
    expect(principalsOf(tracedCase([taken, frame(bob, carol)]))).toEqual({ [alice]: "sender" });
    expect(principalsOf(tracedCase([taking(vault, token, bob, carol, 5n)]))).toEqual({ [alice]: "sender" });
  });
});
