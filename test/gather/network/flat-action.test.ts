import { describe, expect, it } from "vitest";
import { buildCallTree } from "../../../src/gather/network/rpc/call-tree.ts";
import type { RpcFrame } from "../../../src/model/case-file.ts";
import { alice, bob } from "../../support/rpc-server-chain.ts";

const item = (parts: object, traceAddress: unknown = []) => ({ traceAddress, ...parts });
const call = { callType: "call", from: alice, to: bob, value: "0x05", input: "0x12", gas: "0x1" };
const called = { type: "CALL", from: alice, to: bob, value: "0x5", input: "0x12" };
const create = { from: alice, value: "0x5", init: "0x60" };
const created = { type: "CREATE", from: alice, value: "0x5", input: "0x60" };
const end = { address: alice, refundAddress: bob, balance: "0x5" };
const ended = { type: "SELFDESTRUCT", from: alice, to: bob, value: "0x5" };

describe("one item of a flat trace", () => {
  it.each<[string, object, object]>([
    ["a call", { type: "call", action: call, result: { output: "0x34" } }, { ...called, output: "0x34" }],
    ["a call without a result", { type: "call", action: call, result: null }, called],
    ["a delegate call", { type: "call", action: { ...call, callType: "delegatecall" } }, { type: "DELEGATECALL" }],
    ["a call of no kind", { type: "call", action: { ...call, callType: undefined } }, called],
    ["a call of an odd kind", { type: "call", action: { ...call, callType: 5 } }, called],
    ["a call that reverted", { type: "call", action: call, error: "Reverted" }, { error: "execution reverted" }],
    ["a call that failed", { type: "call", action: call, error: "Out of gas" }, { ...called, error: "Out of gas" }],
    ["a call with an empty error", { type: "call", action: call, error: "" }, called],
    [
      "a creation",
      { type: "create", action: create, result: { address: bob, code: "0x34" } },
      { ...created, to: bob, output: "0x34" },
    ],
    ["a creation without a result", { type: "create", action: create, result: null }, created],
    [
      "a creation by its salt",
      { type: "create", action: { ...create, creationMethod: "create2" } },
      { type: "CREATE2" },
    ],
    ["a creation by its nonce", { type: "create", action: { ...create, creationMethod: "create" } }, created],
    ["a creation that failed", { type: "create", action: create, error: "Reverted" }, { error: "execution reverted" }],
    ["an end", { type: "suicide", action: end }, ended],
    ["an end by its other name", { type: "selfdestruct", action: end }, ended],
    ["an end that failed", { type: "suicide", action: end, error: "no" }, { ...ended, error: "no" }],
  ])("is told as callTracer tells it: %s", (_name, parts, frame) => {
    const told = buildCallTree([item(parts)], alice) as RpcFrame;
    const base = frame as Partial<RpcFrame>;
    const whole = base.from === undefined ? { ...(told.type.startsWith("CREATE") ? created : called), ...base } : base;
    expect(told).toEqual(whole);
  });

  it.each<[string, unknown]>([
    ["nothing", undefined],
    ["text", "0"],
    ["a part", [0.5]],
    ["a number below zero", [-1]],
    ["a number beyond all", [2 ** 53]],
    ["a text within", ["0"]],
  ])("has no path that is %s", (_name, traceAddress) => {
    const root = item({ type: "call", action: call });
    expect(buildCallTree([root, item({ type: "call", action: call }, traceAddress)], alice)).toBeUndefined();
  });
});

describe("a tree of a flat trace", () => {
  const at = (value: number, ...path: number[]) =>
    item({ type: "call", action: { ...call, value: `0x${value}` } }, path);
  const frame = (value: number, ...calls: object[]) => {
    return { ...called, value: `0x${value}`, ...(calls.length === 0 ? {} : { calls }) };
  };

  it("has its calls in the order of their paths", () => {
    const list = [at(5, 1, 0), at(1), at(4, 1), at(3, 0, 1), at(2, 0), at(6, 0, 0), at(7, 2)];
    expect(buildCallTree(list, alice)).toEqual(frame(1, frame(2, frame(6), frame(3)), frame(4, frame(5)), frame(7)));
    expect(buildCallTree([at(1)], alice.toUpperCase())).toEqual(frame(1));
  });

  it.each<[string, object[]]>([
    ["a parent", [at(1), at(2, 0), at(3, 1, 0)]],
    ["an elder sibling", [at(1), at(2, 0), at(3, 2)]],
    ["an elder sibling below", [at(1), at(2, 0), at(3, 0, 1)]],
  ])("is none where %s is missing", (_name, list) => {
    expect(buildCallTree(list, alice)).toBeUndefined();
  });
});
