import { describe, expect, it } from "vitest";
import { normalize } from "../../../src/engine/normalize/normalize.ts";
import { buildCallTree } from "../../../src/gather/network/rpc/call-tree.ts";
import { limits } from "../../../src/kernel/limits.ts";
import type { RpcFrame, RpcLog } from "../../../src/model/case-file.ts";
import { alice, bob, carol, caseOf, frame, token, traced, transferLog, vault } from "../../support/case-of.ts";
import { shippedLabels } from "../../support/labels.ts";

const labels = shippedLabels();
const log = transferLog(token, alice, bob, 1n);

function read(root: RpcFrame, logs: RpcLog[] = []) {
  return normalize(caseOf({ trace: traced(root), receipt: { logs } }), labels);
}

describe("a call tree", () => {
  it("becomes frames in the order of execution, each with its parent, depth and kind", () => {
    const { calls, traced: isTraced } = read(
      frame(alice, vault, {
        calls: [
          frame(vault, token, { type: "DELEGATECALL", calls: [frame(vault, bob, { value: "0x5" })] }),
          frame(vault, carol, { type: "STATICCALL" }),
          frame(vault, carol, { type: "CREATE2" }),
          frame(vault, carol, { type: "SELFDESTRUCT" }),
        ],
      }),
    );
    expect(isTraced).toBe(true);
    expect(calls.map(({ index, parent, depth, kind }) => [index, parent, depth, kind])).toEqual([
      [0, -1, 0, "call"],
      [1, 0, 1, "delegatecall"],
      [2, 1, 2, "call"],
      [3, 0, 1, "staticcall"],
      [4, 0, 1, "create2"],
      [5, 0, 1, "selfdestruct"],
    ]);
    expect(calls[0]).toMatchObject({ from: alice, to: vault });
  });

  it("gives the same frames from the flat form of trace_transaction", () => {
    const action = { callType: "call", from: alice, to: vault, value: "0x0", input: "0x", gas: "0x1" };
    const item = (address: number[], subtraces: number, rest: object) => ({
      ...{ type: "call", traceAddress: address, subtraces, result: { gasUsed: "0x0", output: "0x" } },
      action: { ...action, ...rest },
    });
    const flat = buildCallTree(
      [
        item([], 2, {}),
        item([0], 1, { from: vault, to: token, callType: "delegatecall" }),
        item([0, 0], 0, { from: vault, to: bob, value: "0x5" }),
        { ...item([1], 0, { from: vault, to: carol, value: "0x7" }), error: "Reverted" },
      ],
      alice,
    ) as RpcFrame;
    const tree = frame(alice, vault, {
      calls: [
        frame(vault, token, { type: "DELEGATECALL", calls: [frame(vault, bob, { value: "0x5" })] }),
        frame(vault, carol, { value: "0x7", error: "execution reverted" }),
      ],
    });
    expect(read(flat).calls).toEqual(read(tree).calls);
    expect(read(flat).movements).toEqual(read(tree).movements);
    expect(read(tree).movements.filter(({ standard }) => standard === "native")).toMatchObject([
      { to: bob, amount: 5n },
    ]);
  });

  it("moves ether in plain calls, creations and self-destructions, in delegate calls and their like never", () => {
    const value = "0x5";
    const moved = (type: string) => {
      const { movements } = read(frame(alice, vault, { calls: [frame(vault, bob, { type, value })] }), []);
      return movements.map(({ amount, from, to, basis }) => [amount, from, to, basis]);
    };
    for (const type of ["CALL", "call", "CREATE", "CREATE2", "SELFDESTRUCT"])
      expect(moved(type), type).toEqual([[5n, vault, bob, "trace"]]);
    for (const type of ["DELEGATECALL", "STATICCALL", "CALLCODE"]) expect(moved(type), type).toEqual([]);
  });

  it("moves nothing below a frame that reverted, also where the inner frame itself did not", () => {
    const { calls, movements } = read(
      frame(alice, vault, {
        calls: [
          frame(vault, carol, { error: "execution reverted", calls: [frame(carol, bob, { value: "0x5" })] }),
          frame(vault, bob, { value: "0x6" }),
        ],
      }),
      [],
    );
    expect(calls.map(({ ok }) => ok)).toEqual([true, false, false, true]);
    expect(movements).toMatchObject([{ amount: 6n, to: bob }]);
  });

  it("ties logs to the frames that the tracer gives them to, between the calls of a frame too", () => {
    const at = (position: string) => ({ ...log, position });
    const tx = read(
      frame(alice, vault, {
        logs: [
          { ...log, address: vault, position: "0x0" },
          { ...log, address: vault, position: "0x2" },
        ],
        calls: [
          frame(vault, token, { logs: [at("0x0")], calls: [frame(token, bob, { value: "0x5" })] }),
          frame(vault, token, { error: "reverted", logs: [at("0x0")] }),
        ],
      }),
      [{ ...log, address: vault }, log, { ...log, address: vault }],
    );
    expect(tx.logs.map(({ call }) => call)).toEqual([0, 1, 0]);
    // The ether of frame 2 moved after the token's log in frame 1. Its place among the logs of frame 0 is not known.
    expect(tx.movements.map(({ standard, log: position }) => [standard, position]).slice(0, 2)).toEqual([
      ["erc20", 0],
      ["erc20", 1],
    ]);
  });

  it("ties logs by their emitter where the tracer gives none, unless the emitter ran more than once", () => {
    const tx = read(frame(alice, vault, { calls: [frame(vault, token), frame(vault, carol), frame(vault, carol)] }), [
      log,
      { ...log, address: carol },
      { ...log, address: vault },
    ]);
    expect([tx.traced, ...tx.logs.map(({ call }) => call)]).toEqual([true, 1, -1, 0]);
  });

  it.each<[string, RpcFrame]>([
    ["the emitter of a log never ran", frame(alice, vault, { calls: [frame(vault, bob, { value: "0x5" })] })],
    ["it only ran in vain", frame(alice, vault, { calls: [frame(vault, token, { error: "execution reverted" })] })],
    [
      "the tracer placed a log, and not the other",
      frame(alice, vault, {
        logs: [{ ...log, address: vault, position: "0x0" }],
        calls: [frame(vault, token)],
      }),
    ],
  ])("that is cut off shows nothing: %s", (_, root) => {
    const tx = read(root, [{ ...log, address: vault }, log]);
    expect(tx).toMatchObject({ traced: false, nativeComplete: false, calls: [{ from: alice, to: vault }] });
    expect(tx.calls).toHaveLength(1);
    expect(tx.logs.map(({ call }) => call)).toEqual([-1, -1]);
    expect(tx.movements.map(({ standard }) => standard)).not.toContain("native");
  });

  it("that is too large for us is not cut off by anybody else", () => {
    const wide = frame(alice, vault, { calls: Array.from({ length: limits.framesMax }, () => frame(vault, bob)) });
    expect(read(wide, [log])).toMatchObject({ traced: true, truncated: ["1 call frames"] });
  });

  it("is followed without a stack of its own, and cut at a limit that is told", () => {
    let deep = frame(vault, vault);
    for (let level = 0; level < 1_000; level++) deep = frame(vault, vault, { calls: [deep] });
    expect(read(deep).calls).toHaveLength(1_001);
    const wide = frame(alice, vault, { calls: Array.from({ length: limits.framesMax + 1 }, () => frame(vault, bob)) });
    const tx = read(wide);
    expect([tx.calls.length, tx.truncated]).toEqual([limits.framesMax, ["2 call frames"]]);
  });

  it("is not asked where there is none", () => {
    const tx = normalize(caseOf({ transaction: { value: "0x5" }, receipt: { logs: [log] } }), labels);
    expect(tx.calls).toHaveLength(1);
    expect(tx.calls[0]).toMatchObject({ from: alice, to: vault, value: 5n });
    expect(tx.logs[0]?.call).toBe(-1);
  });
});
