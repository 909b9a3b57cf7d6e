import { describe, expect, it } from "vitest";
import type { RpcLog } from "../../../src/model/case-file.ts";
import { explainCase } from "../../property/world.ts";
import {
  alice,
  bob,
  calldata,
  carol,
  caseOf,
  frame,
  logOf,
  token,
  traced,
  usdc,
  vault,
} from "../../support/case-of.ts";
import { entryPoint, execTransaction, executionSuccess, userOperationEvent } from "../../support/envelopes.ts";

const ran = userOperationEvent(bob);
const upgraded = (at: string) => logOf(at, "event Upgraded(address indexed implementation)", { implementation: carol });
const ownerAdded = (at: string, account: string) =>
  logOf(at, "event OwnerAdded(address indexed account, address indexed owner)", { account, owner: carol });
const summaryOf = (parts: Parameters<typeof caseOf>[0]) => explainCase(caseOf(parts)).explanation.summary;

/** Alice calls the vault, which calls another contract. */
const sent = (logs: RpcLog[], input: `0x${string}` = "0x12345678") =>
  summaryOf({
    transaction: { from: alice, to: vault, input },
    receipt: { logs },
    trace: traced(frame(alice, vault, { input, calls: [frame(vault, token)] })),
  });

describe("control of a contract that the account called", () => {
  it.each<[string, RpcLog, string]>([
    ["new code", upgraded(vault), "upgraded 0x5a5A…5A5A to the code at 0xC4c4…c4C4"],
    [
      "a new admin",
      logOf(vault, "event NewAdmin(address oldAdmin, address newAdmin)", { oldAdmin: alice, newAdmin: carol }),
      "made 0xC4c4…c4C4 the admin of 0x5a5A…5A5A",
    ],
    [
      "an owner to be",
      logOf(vault, "event OwnershipTransferStarted(address indexed previousOwner, address indexed newOwner)", {
        ...{ previousOwner: alice, newOwner: carol },
      }),
      "offered the ownership of 0x5a5A…5A5A to 0xC4c4…c4C4",
    ],
    [
      "roles",
      logOf(vault, "event RolesUpdated(address indexed user, uint256 indexed roles)", { user: carol, roles: 1n }),
      "set which roles 0xC4c4…c4C4 has at 0x5a5A…5A5A",
    ],
  ])("is told whatever the function is called: %s", (_what, log, expected) => {
    expect(sent([log])).toContain(expected);
  });

  it("is no act of an account that did not call it", () => {
    expect(sent([upgraded(token)])).not.toContain("upgraded");
  });

  it("is told where the contract itself says nothing", () => {
    const input = calldata("function setOwner(address owner)", [carol]);
    expect(sent([], input)).toContain("called 0x5a5A…5A5A to set its owner to 0xC4c4…c4C4");
  });
});

describe("accounts that may sign for another account", () => {
  it("is told by a module that it called, and by no other contract", () => {
    const told = (at: string) => {
      const account = frame(entryPoint, bob, { calls: [frame(bob, vault, { calls: [frame(vault, token)] })] });
      const root = frame(alice, entryPoint, { calls: [account] });
      const transaction = { from: alice, to: entryPoint, input: "0x12345678" } as const;
      return summaryOf({ transaction, receipt: { logs: [ownerAdded(at, bob), ran] }, trace: traced(root) });
    };
    expect(told(vault)).toContain("(a smart account) let 0xC4c4…c4C4 sign for it");
    expect(told(token)).not.toContain("sign for it");
  });

  it("is nothing that a called contract can say of a sender without code", () => {
    expect(sent([ownerAdded(vault, alice)])).not.toContain("sign for it");
  });
});

describe("code that an account runs as its own", () => {
  const executed = (to: string, kind: number) =>
    summaryOf({
      transaction: { to: bob, input: execTransaction(to, 0n, "0x12345678", kind) },
      receipt: { logs: [executionSuccess(bob)] },
    });

  it("is told, unless it is known to do no more than calls", () => {
    expect(executed(carol, 1)).toContain("ran the code of 0xC4c4…c4C4 as its own, which may change it as it likes");
    expect(executed(carol, 0)).not.toContain("as its own");
    expect(executed("0x40A2aCCbd92BCA938b02010E17A5b8929b49130D", 1)).not.toContain("as its own");
  });
});

describe("what an account says of itself", () => {
  it("is not drowned by what a contract that it called writes in its name", () => {
    const given = logOf(vault, "event OwnershipTransferred(address indexed previousOwner, address indexed newOwner)", {
      ...{ previousOwner: bob, newOwner: alice },
    });
    const own = logOf(bob, "event AddedOwner(address owner)", { owner: carol });
    const transaction = { from: alice, to: entryPoint, input: "0x12345678" } as const;
    const logs = [...Array.from({ length: 1_200 }, () => given), own, ran];
    expect(summaryOf({ transaction, receipt: { logs } })).toContain("added the owner 0xC4c4…c4C4");
  });

  it("is not drowned by small allowances: the largest is told first", () => {
    const approve = (at: string, spender: string, value: bigint) =>
      logOf(at, "event Approval(address indexed owner, address indexed spender, uint256 value)", {
        ...{ owner: bob, spender, value },
      });
    const spender = (i: number) => `0x${(0x11 + i).toString(16).repeat(20)}`;
    const small = Array.from({ length: 30 }, (_, i) => approve(usdc, spender(i), 1_000_000n));
    const transaction = { from: alice, to: entryPoint, input: "0x12345678" } as const;
    const told = summaryOf({ transaction, receipt: { logs: [...small, approve(usdc, carol, 9_000_000_000n), ran] } });
    expect(told).toContain("allowed 0xC4c4…c4C4 to spend 9,000 USDC");
  });
});
