import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { buildCallTree, frameDepthMax, readCallFrame } from "../../../src/gather/network/rpc/call-tree.ts";
import type { RpcFrame } from "../../../src/model/case-file.ts";
import { alice, bob, callTrace, flatTrace } from "../../support/rpc-server-chain.ts";
import { findShared } from "../../support/shared.ts";

/** The trace_transaction form of a tree that came from callTracer. */
function flatten(frame: RpcFrame, traceAddress: number[] = []): object[] {
  const { type, from, to, value, input, output, error, calls = [] } = frame;
  const item = { traceAddress, subtraces: calls.length, ...(error === undefined ? {} : { error }) };
  const below = calls.flatMap((call, i) => flatten(call, [...traceAddress, i]));
  if (type === "SELFDESTRUCT") {
    return [
      { ...item, type: "suicide", action: { address: from, refundAddress: to, balance: value }, result: null },
      ...below,
    ];
  }
  if (type.startsWith("CREATE")) {
    const action = { from, value, init: input, creationMethod: type.toLowerCase() };
    return [{ ...item, type: "create", action, result: { address: to, code: output } }, ...below];
  }
  const action = { callType: type.toLowerCase(), from, to, value, input };
  return [{ ...item, type: "call", action, result: output === undefined ? null : { output } }, ...below];
}

/** Leaves out what the flat form cannot say, and uses callTracer's word for a revert. */
function comparable({ logs: _logs, revertReason: _reason, calls, error, ...frame }: RpcFrame): RpcFrame {
  return {
    ...frame,
    ...(error === undefined ? {} : { error: error === "Reverted" ? "execution reverted" : error }),
    ...(calls === undefined ? {} : { calls: calls.map(comparable) }),
  };
}

const frame = fc.letrec<{ frame: RpcFrame }>((tie) => ({
  frame: fc.record(
    {
      type: fc.constantFrom("CALL", "DELEGATECALL", "STATICCALL", "CALLCODE", "CREATE", "CREATE2"),
      from: fc.constantFrom<string>(alice, bob),
      to: fc.constantFrom<string>(alice, bob),
      value: fc.constantFrom("0x0", "0x1234"),
      input: fc.constantFrom("0x", "0xabcd"),
      output: fc.constantFrom("0x", "0x01"),
      error: fc.constant("execution reverted"),
      calls: fc.array(tie("frame"), { minLength: 1, maxLength: 4, depthIdentifier: "calls" }),
    },
    { requiredKeys: ["type", "from"] },
  ),
})).frame;

describe("buildCallTree", () => {
  it("is the inverse of flattening, for every order of the list", () => {
    fc.assert(
      fc.property(frame, fc.func(fc.integer()), (tree, order) => {
        const list = flatten(tree).sort((a, b) => order(a) - order(b));
        expect(buildCallTree(list, tree.from)).toEqual(tree);
      }),
    );
  });

  it("gives callTracer's words to what OpenEthereum calls otherwise", () => {
    const [root] = flatTrace;
    const killed = {
      type: "suicide",
      traceAddress: [0],
      action: { address: alice, refundAddress: bob, balance: "0x5" },
    };
    expect(buildCallTree([{ ...root, error: "Reverted", result: null }, killed], alice)).toMatchObject({
      error: "execution reverted",
      calls: [{ type: "SELFDESTRUCT", from: alice, to: bob, value: "0x5" }],
    });
  });

  const [root, child] = flatTrace;
  it.each([
    ["no list", null],
    ["an empty list", []],
    ["a list without its root", [child]],
    ["a missing sibling", [root, { ...child, traceAddress: [1] }]],
    ["two roots", [root, root]],
    ["a path that comes twice", [root, child, child]],
    ["a path that is none", [root, { ...child, traceAddress: [-1] }]],
    ["a reward, which is in no transaction", [{ ...root, type: "reward" }]],
    ["an item without action", [{ ...root, action: null }]],
    ["a call without its caller", [{ ...root, action: { ...root?.action, from: undefined } }]],
    ["a create without its creator", [{ ...root, type: "create", action: { value: "0x0", init: "0x" } }]],
    ["an end without its contract", [{ ...root, type: "suicide", action: { refundAddress: bob, balance: "0x5" } }]],
    ["a create below without its creator", [root, { ...child, type: "create", action: { value: "0x0", init: "0x" } }]],
    ["an item that is none", [root, 5]],
  ])("refuses %s", (_name, list) => {
    expect(buildCallTree(list, alice)).toBeUndefined();
  });
});

describe("readCallFrame", () => {
  it("keeps the logs with their places and drops gas", () => {
    const log = { address: alice, topics: [`0x${"1".repeat(64)}`], data: "0x01", index: "0x2", position: "0x0" };
    expect(readCallFrame({ ...callTrace, logs: [log, { address: "?" }] }, alice)).toMatchObject({ logs: [log] });
    expect(readCallFrame(callTrace, alice)).not.toHaveProperty("gas");
  });

  it("reads calls that are nested as deep as may be, and refuses deeper ones", () => {
    const nested = (depth: number) => {
      let frame: object = { type: "CALL", from: alice };
      for (let i = 0; i < depth; i++) frame = { type: "CALL", from: alice, calls: [frame] };
      return readCallFrame(frame, alice.toUpperCase());
    };
    expect(nested(frameDepthMax)).toBeDefined();
    expect(nested(frameDepthMax + 1)).toBeUndefined();
    const path = (depth: number) => Array.from({ length: depth }, () => 0);
    const flat = (depth: number) =>
      Array.from({ length: depth + 1 }, (_, at) => ({
        ...{ type: "call", traceAddress: path(at), action: { callType: "call", from: alice } },
      }));
    expect(buildCallTree(flat(frameDepthMax), alice)).toBeDefined();
    expect(buildCallTree(flat(frameDepthMax + 1), alice)).toBeUndefined();
  });

  it("keeps of each frame what is of the right kind, values without leading zeros, logs without data as empty", () => {
    const word = `0x${"1".repeat(64)}`;
    const log = { address: alice, topics: [word], index: "0x2", position: "0x0", logIndex: "0x3" };
    const frame = { type: "CALL", from: alice, to: 5, value: "0x00f", input: "0x1", output: "0x", gas: "0x5" };
    const given = { ...frame, error: "no", revertReason: "why", logs: [log, { ...log, data: "0x01" }, { topics: [] }] };
    expect(readCallFrame(given, alice)).toEqual({
      ...{ type: "CALL", from: alice, value: "0xf", output: "0x", error: "no", revertReason: "why" },
      logs: [
        { ...log, data: "0x" },
        { ...log, data: "0x01" },
      ],
    });
    expect(readCallFrame({ ...frame, value: "x", calls: [], logs: {} }, alice)).toEqual({
      ...{ type: "CALL", from: alice, output: "0x" },
    });
    expect(readCallFrame(given, bob)).toBeUndefined();
  });

  it("refuses endless nesting, and a tree with a broken frame in it", () => {
    let deep: object = callTrace;
    for (let i = 0; i <= frameDepthMax; i++) deep = { type: "CALL", from: alice, calls: [deep] };
    expect(readCallFrame(deep, alice)).toBeUndefined();
    expect(readCallFrame({ ...callTrace, calls: [{ type: "CALL" }] }, alice)).toBeUndefined();
    expect(readCallFrame({ ...callTrace, calls: [{ from: alice, to: bob }] }, alice)).toBeUndefined();
    expect(readCallFrame({ ...callTrace, type: undefined }, alice)).toBeUndefined();
  });
});

const traces = findShared("corpus-traces");

describe.skipIf(traces === undefined)("recorded traces of other chains", () => {
  it("survive both forms", () => {
    let frames = 0;
    for (const name of readdirSync(traces ?? "")) {
      const record = JSON.parse(readFileSync(join(traces ?? "", name), "utf8"));
      const tree = readCallFrame(record.trace, record.transaction.from);
      expect(tree, name).toBeDefined();
      if (tree === undefined) continue;
      const list = flatten(tree);
      frames += list.length;
      expect(buildCallTree(list, tree.from), name).toEqual(comparable(tree));
    }
    expect(frames).toBeGreaterThan(500);
  });
});
