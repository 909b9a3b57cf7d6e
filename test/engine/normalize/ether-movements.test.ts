import { describe, expect, it } from "vitest";
import type { InternalTransfer } from "../../../src/model/case-file.ts";
import type { Call, Movement } from "../../../src/model/transaction.ts";
import { alice, bob, carol, transferLog, usdc, vault, zero } from "../../support/case-of.ts";
import { call, collected, ether, logs } from "./collected.ts";

/** The order of the movements: ether by its amount, tokens by their log. */
const order = (list: readonly Movement[]) =>
  list.map(({ token: of, amount, log }) => (of === null ? Number(amount) : `log ${log}`));

describe("ether of the transaction itself", () => {
  it("is what a deposit makes, then what was sent along", () => {
    expect(collected({ depositMint: 1n, value: 1n })).toEqual([
      { index: 0, ...ether, amount: 1n, from: zero, to: alice, call: 0, basis: "transaction" },
      { index: 1, ...ether, amount: 1n, from: alice, to: vault, call: 0, basis: "transaction" },
    ]);
    expect(collected()).toEqual([]);
  });

  it("went nowhere where the creation failed", () => {
    expect(collected({ value: 1n, calls: [call(0, { to: null })] })).toEqual([]);
  });
});

describe("ether of a call tree", () => {
  const calls = [
    call(0, { from: alice, to: vault, value: 9n }),
    call(1, { value: 1n }),
    call(2, { value: 2n }),
    call(3, { value: 3n }),
  ];

  it("stands where its frame ran among the logs", () => {
    const list = logs(
      [transferLog(usdc, alice, bob, 1n), 0],
      [transferLog(usdc, alice, bob, 1n), 2],
      transferLog(usdc, alice, bob, 1n),
    );
    expect(order(collected({ traced: true, calls, logs: list }))).toEqual(["log 0", 1, 2, "log 1", "log 2", 3]);
    expect(collected({ traced: true, calls })[1]).toEqual({
      ...{ index: 1, ...ether, amount: 2n, from: vault, to: carol, call: 2, basis: "trace" },
    });
    expect(collected({ calls })).toEqual([]);
  });

  it.each<[string, Partial<Call>]>([
    ["that failed", { ok: false }],
    ["without value", { value: 0n }],
    ["that created nothing", { to: null }],
    ["that borrowed code", { kind: "delegatecall" }],
    ["that only read", { kind: "staticcall" }],
    ["of the old kind that borrowed code", { kind: "callcode" }],
  ])("is not moved by a frame %s", (_, parts) => {
    expect(collected({ traced: true, calls: [call(0), call(1, { value: 1n, ...parts })] })).toEqual([]);
  });
});

describe("ether of an explorer's list", () => {
  const row = (value: string, parts: Partial<InternalTransfer> = {}): InternalTransfer => ({
    ...{ from: vault, to: alice, value, type: "call", success: true },
    ...parts,
  });

  it("stands after the logs that were before it, and last where that is not known", () => {
    const list = logs(transferLog(usdc, alice, bob, 1n), transferLog(usdc, alice, bob, 1n));
    const internal = [
      row("0x1"),
      row("0x2", { logs_before: 0 }),
      row("0x3", { logs_before: 1 }),
      row("0x4", { logs_before: 1 }),
      row("0x5", { logs_before: 2 }),
    ];
    const found = collected({ logs: list, internal });
    expect(order(found)).toEqual([2, "log 0", 3, 4, "log 1", 5, 1]);
    expect(found.map(({ index }) => index)).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect(found[0]).toEqual({ index: 0, ...ether, amount: 2n, from: vault, to: alice, call: -1, basis: "internal" });
  });

  it.each<[string, Partial<InternalTransfer>]>([
    ["failed", { success: false }],
    ["moved nothing", { value: "0x0" }],
    ["has no value that can be read", { value: "?" }],
    ["has no giver", { from: "nobody" }],
    ["has no receiver", { to: "" }],
    ["borrowed code", { type: "delegatecall" }],
    ["only read", { type: "staticcall" }],
  ])("is not there where a row %s", (_, parts) => expect(collected({ internal: [row("0x1", parts)] })).toEqual([]));
});
