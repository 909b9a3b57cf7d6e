import { describe, expect, it } from "vitest";
import type { CaseFile } from "../../../src/model/case-file.ts";
import { alice, bob, calldata, carol, caseOf, vault, zero } from "../../support/case-of.ts";
import {
  encodedCalls,
  entryPoint,
  execTransaction,
  execute,
  executeBatch,
  executeByMode,
  executionSuccess,
  multicall3,
  multiSend,
  multiSendAddress,
  record,
  userOperation,
  userOperationEvent,
} from "../../support/envelopes.ts";
import { sends, told } from "./told-ether.ts";

describe("ether of an unwrapped call that must have run", () => {
  it.each<[string, CaseFile, string[]]>([
    [
      "a user operation's batch",
      sends(
        entryPoint,
        userOperation(
          bob,
          executeBatch([
            { target: carol, value: 5n, data: "0x" },
            { target: vault, value: 0n, data: "0x12345678" },
            { target: alice, value: 7n, data: "0xabcdef01" },
          ]),
        ),
        [userOperationEvent(bob)],
      ),
      [`${bob} ${carol} 5`, `${bob} ${alice} 7`],
    ],
    [
      "a user operation's one call",
      sends(entryPoint, userOperation(bob, execute(carol, 5n)), [userOperationEvent(bob)]),
      [`${bob} ${carol} 5`],
    ],
    ["a Safe's call", sends(vault, execTransaction(carol, 5n), [executionSuccess(vault)]), [`${vault} ${carol} 5`]],
    [
      "a Safe's batch",
      sends(vault, execTransaction(multiSendAddress, 0n, multiSend(record(carol, 5n), record(bob, 7n)), 1), [
        executionSuccess(vault),
      ]),
      [`${vault} ${carol} 5`, `${vault} ${bob} 7`],
    ],
    [
      "an account that calls itself",
      sends(alice, executeByMode("0x01", encodedCalls([{ target: carol, value: 5n, data: "0x" }]))),
      [`${alice} ${carol} 5`],
    ],
    [
      "a known batch contract's call that may not fail",
      sends(
        multicall3,
        calldata(
          "function aggregate3Value((address target, bool allowFailure, uint256 value, bytes callData)[] calls)",
          [
            [
              { target: bob, allowFailure: false, value: 3n, callData: "0x" },
              { target: carol, allowFailure: true, value: 4n, callData: "0x" },
            ],
          ],
        ),
        [],
        { value: "0x7" },
      ),
      [`${multicall3} ${bob} 3`],
    ],
  ])("%s is a movement", (_what, file, moved) => {
    expect(told(file)).toEqual(moved);
  });

  const ops = userOperation(bob, execute(carol, 5n));
  const good = userOperationEvent(bob);
  it.each<[string, CaseFile]>([
    ["an operation that failed", sends(entryPoint, ops, [userOperationEvent(bob, { success: false })])],
    ["an operation without its event", sends(entryPoint, ops)],
    ["an operation at a stranger's entry point", sends(vault, ops, [{ ...good, address: vault }])],
    [
      "a batch that goes on when a call fails",
      sends(
        entryPoint,
        userOperation(bob, executeByMode("0x0101", encodedCalls([{ target: carol, value: 5n, data: "0x" }]))),
        [good],
      ),
    ],
    ["what looks like an account, called by anyone", sends(vault, execute(carol, 5n))],
    [
      "an account behind an account",
      sends(entryPoint, userOperation(bob, execute(vault, 0n, execute(carol, 5n))), [good]),
    ],
    ["a Safe without its event", sends(vault, execTransaction(carol, 5n))],
    [
      "one of two Safe transactions, where one event may be about either",
      sends(
        multicall3,
        calldata("function aggregate3((address target, bool allowFailure, bytes callData)[] calls)", [
          [5n, 6n].map((value) => ({ target: vault, allowFailure: true, callData: execTransaction(carol, value) })),
        ]),
        [executionSuccess(vault)],
      ),
    ],
    ["a delegatecall", sends(vault, execTransaction(carol, 5n, "0x", 1), [executionSuccess(vault)])],
    [
      "an account's own function that ran as somebody's library",
      sends(vault, execTransaction(bob, 0n, execute(carol, 5n), 1), [executionSuccess(vault)]),
    ],
    [
      "a MultiSend that was not delegated to: whose ether it was is not known",
      sends(multiSendAddress, multiSend(record(carol, 5n)), [], { value: "0x5" }),
    ],
    [
      "nothing, a call to itself, one to the zero address",
      sends(
        entryPoint,
        userOperation(
          bob,
          executeBatch([
            { target: carol, value: 0n, data: "0x" },
            { target: bob, value: 5n, data: "0x" },
            { target: zero, value: 5n, data: "0x" },
          ]),
        ),
        [good],
      ),
    ],
    [
      "a transaction that reverted",
      caseOf({ transaction: { to: entryPoint, input: ops }, receipt: { status: "0x0" } }),
    ],
    [
      "what an explorer lists",
      caseOf({
        transaction: { to: entryPoint, input: ops },
        receipt: { logs: [good] },
        trace: {
          source: "internal_transfers",
          provider: "explorer.example",
          internal_transfers: [{ type: "call", from: bob, to: carol, value: "0x5", success: true }],
        },
      }),
    ],
  ])("but not: %s", (_what, file) => {
    expect(told(file)).toEqual([]);
  });
});
