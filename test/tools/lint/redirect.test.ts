import { describe, expect, it } from "vitest";
import type { RpcFrame } from "../../../src/model/case-file.ts";
import type { Movement } from "../../../src/model/transaction.ts";
import { redirect } from "../../../src/tools/lint/mutation/redirected-money.ts";
import {
  alice,
  caseOf,
  listed,
  logs,
  move,
  native,
  pool,
  root,
  row,
  thief,
  traced,
  transfer,
  word,
} from "./paid-case.ts";

describe("money that goes to somebody else", () => {
  const receivers = (...moves: Movement[]) =>
    redirect(caseOf(), moves, thief)?.receipt.logs.map(({ topics }) => topics.at(-1));

  it("is stated by the logs of tokens", () => {
    const own = logs.map(({ topics }) => topics.at(-1));
    const to = `0x${word(thief)}`;
    expect(receivers(move())).toEqual(own.with(0, to));
    expect(receivers(move({ log: 1 }), move({ log: 2 }))).toEqual(own.with(1, to).with(2, to));
    expect(receivers(move({ log: 3 }))).toBeUndefined();
    expect(receivers(move({ log: 3 }), move())).toEqual(own.with(0, to));
    expect(receivers()).toBeUndefined();
    expect(redirect(caseOf(), [move()], thief)?.receipt.logs[0]?.topics.slice(0, 2)).toEqual(
      transfer.topics.slice(0, 2),
    );
  });

  it("is ether of an explorer's list, or of a call tree", () => {
    const inner = native("internal", { from: pool, to: alice });
    const first = { ...row(), to: thief };
    expect(redirect(caseOf(listed(row({ value: "6" }), row(), row())), [inner], thief)?.trace).toEqual(
      listed(row({ value: "6" }), first, row()),
    );
    expect(redirect(caseOf(listed(row(), row())), [inner, inner], thief)?.trace).toEqual(listed(first, first));
    expect(redirect(caseOf(listed(row({ value: "6" }))), [inner], thief)).toBeUndefined();
    expect(redirect(caseOf(traced), [inner], thief)).toBeUndefined();
    const stolen = { type: "CALL", from: pool, to: thief, value: "0x11", input: "0x" };
    const [call, second] = root.calls as [RpcFrame, RpcFrame];
    const traces = redirect(caseOf(traced), [native("trace", { from: pool, call: 3, amount: 17n })], thief)?.trace;
    expect(traces).toEqual({ ...traced, root: { ...root, calls: [call, { ...second, value: "0x0" }, stolen] } });
    expect(redirect(caseOf(listed(row())), [native("trace", { call: 3 })], thief)).toBeUndefined();
    expect(redirect(caseOf(traced), [native("transaction", { call: 0 })], thief)).toBeUndefined();
    const both = redirect(caseOf(listed(row())), [native("transaction"), inner], thief);
    expect(both?.trace).toEqual(listed(first));
  });
});
