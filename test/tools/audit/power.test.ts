import { numberToHex } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { describe, expect, it } from "vitest";
import { checksum, shorten, toAddress, zeroAddress } from "../../../src/kernel/address.ts";
import type { RpcLog } from "../../../src/model/case-file.ts";
import type { Checks, Explanation } from "../../../src/model/explanation.ts";
import { auditAnswer } from "../../../src/tools/audit/audit.ts";
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
import {
  answerTo,
  approvalLog,
  entryPoint,
  knowledge,
  lawsBroken,
  movedUsdc,
  operationLog,
  permit2,
  recorded,
  told,
  tracedCase,
} from "./scene.ts";

const [a, b, c] = [alice, bob, carol].map(shorten);
const plain = told(`${a} called ${c}.`);
const withLogs = (...logs: RpcLog[]) => caseOf({ receipt: { logs } });
const flag = (detail: string): Explanation =>
  told(`${a} called ${c}.`, [], { risk_flags: [{ flag: "unlimited_approval", detail }] });

describe("law 5: a right", () => {
  it("is told by the summary or by a flag about the spender", () => {
    const file = withLogs(approvalLog(usdc, alice, bob, 5n));
    expect(lawsBroken(file, plain)).toEqual([5]);
    expect(lawsBroken(file, told(`${a} allowed ${b} to spend 0.000005 USDC.`))).toEqual([]);
    expect(lawsBroken(file, flag(`The spender ${checksum(bob)} may take 5 units.`))).toEqual([]);
    expect(lawsBroken(file, flag(`${a} never paid the recipient ${checksum(bob)} before.`))).toEqual([5]);
  });

  it("over a collection, over one NFT, and at Permit2 until a time is one", () => {
    const all = logOf(token, "event ApprovalForAll(address indexed owner, address indexed operator, bool approved)", {
      owner: alice,
      operator: bob,
      approved: true,
    });
    const one = logOf(
      token,
      "event Approval(address indexed owner, address indexed approved, uint256 indexed tokenId)",
      { owner: alice, approved: bob, tokenId: 7n },
    );
    const signature =
      "event Permit(address indexed owner, address indexed token, address indexed spender, uint160 amount, uint48 expiration, uint48 nonce)";
    const signed = (expiration: number) =>
      logOf(permit2, signature, { owner: alice, token: usdc, spender: bob, amount: 5n, expiration, nonce: 0 });
    for (const log of [all, one, signed(2_000_000_000)]) expect(lawsBroken(withLogs(log), plain)).toEqual([5]);
    expect(lawsBroken(withLogs(signed(1_000_000_000)), plain)).toEqual([]);
  });

  it("over strangers' tokens is told once for each owner, and listed tokens come first", () => {
    const junk = [1, 2, 3].map((number) => approvalLog(`0x${String(number).repeat(40)}`, alice, bob, 5n));
    const file = withLogs(...junk, approvalLog(usdc, alice, bob, 5n));
    const sentences = auditAnswer(file, plain, knowledge).map(({ sentence }) => sentence);
    expect(sentences).toEqual([
      expect.stringContaining(checksum(usdc)),
      expect.stringContaining("and 2 more such rights over strangers' tokens"),
    ]);
    expect(auditAnswer(file, { ...plain, partial: true }, knowledge)).toHaveLength(1);
  });

  it("is not needed in the answer if it was taken back, used up, given by somebody else or to oneself", () => {
    const given = approvalLog(usdc, alice, bob, 5n);
    expect(lawsBroken(withLogs(given, approvalLog(usdc, alice, bob, 0n)), plain)).toEqual([]);
    const moved = told(`${a} sent 0.000005 USDC to ${c}.`, [movedUsdc(alice, carol, 5n)]);
    expect(lawsBroken(withLogs(given, transferLog(usdc, alice, carol, 5n)), moved)).toEqual([]);
    const traced = (left: bigint) => {
      const approve = calldata("function approve(address spender, uint256 value)", [bob, left]);
      const log = approvalLog(usdc, alice, bob, left);
      const logs = [log, transferLog(usdc, alice, carol, 5n)];
      return tracedCase([frame(alice, usdc, { input: approve, logs: [log] })], { receipt: { logs } });
    };
    expect(lawsBroken(traced(5n), moved)).toEqual([]);
    expect(lawsBroken(traced(6n), moved)).toEqual([5]);
    expect(lawsBroken(withLogs(approvalLog(usdc, carol, bob, 5n)), plain)).toEqual([]);
    expect(lawsBroken(withLogs(approvalLog(usdc, alice, alice, 5n)), plain)).toEqual([]);
  });

  it("does not count if the call tree shows that it is a token's bookkeeping", () => {
    const spend = calldata("function transferFrom(address from, address to, uint256 value)", [alice, carol, 5n]);
    const log = approvalLog(usdc, alice, bob, 95n);
    const logs = [log, transferLog(usdc, alice, carol, 5n)];
    const file = tracedCase([frame(bob, usdc, { input: spend, logs: [log] })], { receipt: { logs } });
    expect(lawsBroken(file, told(`${a} sent 0.000005 USDC to ${c}.`, [movedUsdc(alice, carol, 5n)]))).toEqual([]);
  });

  it("that may be bookkeeping must be told or keep the checks from all saying ok", () => {
    const file = withLogs(approvalLog(usdc, alice, bob, 95n), transferLog(usdc, alice, carol, 5n));
    const withChecks = (status: Checks["first_interaction"]) =>
      told(`${a} sent 0.000005 USDC to ${c}.`, [movedUsdc(alice, carol, 5n)], {
        checks: {
          contract_verification: "ok",
          first_interaction: status,
          drainer_blacklist: "ok",
          unchecked_addresses: [],
          note: null,
        },
      });
    expect(lawsBroken(file, withChecks("ok"))).toEqual([5]);
    expect(lawsBroken(file, withChecks("inconclusive"))).toEqual([]);
  });
});

describe("law 6: a change of control", () => {
  const owner = logOf(bob, "event AddOwner(uint256 indexed index, bytes owner)", {
    index: 1n,
    owner: `0x${carol.slice(2).padStart(64, "0")}`,
  });
  const operation = operationLog(entryPoint, bob);

  it("at an account of a principal is told with the new controller", () => {
    const file = withLogs(owner, operation);
    expect(lawsBroken(file, told(`${b} sent nothing.`))).toEqual([6]);
    expect(lawsBroken(file, told(`${b} added the owner ${c}.`))).toEqual([]);
    expect(lawsBroken(withLogs(owner), told(`${a} called ${b}.`))).toEqual([]);
  });

  it("of the number of signatures is told by the number", () => {
    const threshold = logOf(bob, "event ChangedThreshold(uint256 threshold)", { threshold: 3n });
    expect(lawsBroken(withLogs(threshold, operation), told(`${b} took 1 more step.`))).toEqual([6]);
    expect(lawsBroken(withLogs(threshold, operation), told(`${b} set the number of signatures to 3.`))).toEqual([]);
  });

  it("that belongs to the creation of the account does not count", () => {
    const before = logOf(entryPoint, "event BeforeExecution()", {});
    expect(lawsBroken(withLogs(owner, before, operation), told(`${b} sent nothing.`))).toEqual([]);
    expect(lawsBroken(withLogs(before, owner, operation), told(`${b} sent nothing.`))).toEqual([6]);
    const made = tracedCase([frame(vault, bob, { type: "CREATE2" })], { receipt: { logs: [owner, operation] } });
    expect(lawsBroken(made, told(`${b} sent nothing.`))).toEqual([]);
  });

  it("of a contract counts if its owner called it", () => {
    const signature = "event OwnershipTransferred(address indexed previousOwner, address indexed newOwner)";
    const log = logOf(vault, signature, { previousOwner: alice, newOwner: bob });
    expect(lawsBroken(withLogs(log), plain)).toEqual([6]);
    expect(lawsBroken(withLogs({ ...log, address: token }), plain)).toEqual([]);
    expect(lawsBroken(withLogs(log), told(`${a} gave the ownership of ${shorten(vault)} to ${b}.`))).toEqual([]);
  });
});

describe("law 7: a delegation", () => {
  const account = privateKeyToAccount(`0x${"42".repeat(32)}`);
  const authority = toAddress(account.address);
  const own = shorten(authority);
  const sign = async (address: `0x${string}`, nonce: number) => {
    const signed = await account.signAuthorization({ chainId: 8453, nonce, address });
    const signature = { yParity: numberToHex(signed.yParity ?? 0), r: signed.r, s: signed.s };
    return { chainId: "0x2105", address, nonce: numberToHex(nonce), ...signature };
  };

  it("is told for the account that signed it, no matter who sent it", async () => {
    const file = caseOf({ transaction: { authorizationList: [await sign(bob, 7)] } });
    expect(lawsBroken(file, told(`${own} delegated its code to ${b}.`))).toEqual([]);
    expect(lawsBroken(file, told(`${a} delegated its code to ${b}.`))).toEqual([7]);
    expect(lawsBroken(file, told(`${own} sent nothing.`))).toEqual([7]);
    const reverted = caseOf({ ...file, receipt: { status: "0x0" } });
    expect(lawsBroken(reverted, told(`${a} called ${c}.`))).toEqual([7]);
  });

  it("is the last valid one of an account", async () => {
    const authorizationList = [await sign(bob, 7), await sign(carol, 8)];
    const sponsored = caseOf({ transaction: { authorizationList } });
    expect(lawsBroken(sponsored, told(`${own} delegated its code to ${c}.`))).toEqual([]);
    expect(lawsBroken(sponsored, told(`${own} delegated its code to ${b}.`))).toEqual([7]);
    const sent = caseOf({ transaction: { from: authority, nonce: "0x6", authorizationList } });
    expect(lawsBroken(sent, told(`${own} delegated its code to ${b}.`))).toEqual([7]);
    const stale = caseOf({ transaction: { from: authority, nonce: "0x7", authorizationList } });
    expect(lawsBroken(stale, told(`${own} delegated its code to ${c}.`))).toEqual([]);
  });

  it("that is cleared is told for its account, and an unsigned one by its delegate", async () => {
    const cleared = caseOf({ transaction: { authorizationList: [await sign(zeroAddress, 7)] } });
    expect(lawsBroken(cleared, told(`${own} cleared its code.`))).toEqual([]);
    expect(lawsBroken(cleared, told(`${a} cleared its code.`))).toEqual([7]);
    const unsigned = { chainId: "0x2105", address: bob, nonce: "0x7" };
    const unknown = caseOf({ transaction: { authorizationList: [unsigned] } });
    expect(lawsBroken(unknown, plain)).toEqual([7]);
    expect(lawsBroken(unknown, told(`Somebody delegated to ${b}.`))).toEqual([]);
  });
});

describe("a recorded Safe that moved to another implementation", () => {
  const hash = "0x37d530d1347e3d0903bcb2c8650bd223b39259ba22af373ba70a3cb064ac46b4";

  it("is told as it happened", () => {
    expect(lawsBroken(recorded(hash), answerTo(recorded(hash)))).toEqual([]);
  });
});
