import { describe, expect, it } from "vitest";
import type { CaseFile, RpcFrame, RpcLog } from "../../../src/model/case-file.ts";
import { addFrames } from "../../../src/tools/lint/mutation/edit-case.ts";
import { callTree } from "../../../src/tools/lint/mutation/stage.ts";
import { forgers } from "../../../src/tools/lint/mutation/stranger.ts";
import { alice, caseOf, listed, pool, root, row, single, token, traced, transfer } from "./paid-case.ts";

describe("the call tree of a forged case", () => {
  const emitted = (log: RpcLog, position = "0x0") => ({ ...log, position });
  const call = (from: string, to: string, more: object) => ({
    type: "CALL",
    from,
    to,
    value: "0x0",
    input: "0x",
    ...more,
  });
  const own = { address: pool, topics: ["0x02"], data: "0x" };
  const file = (trace: object, list: RpcLog[]) =>
    ({ ...caseOf(trace), receipt: { status: "0x1", logs: list } }) as CaseFile;
  const stolen = (from: string, log: RpcLog, input: string) =>
    call(from, forgers.front, { calls: [call(forgers.front, log.address, { input, logs: [emitted(log)] })] });

  it("is made from the logs and the list of ether transfers", () => {
    const rows = [
      row({ value: "6" }),
      row({ to: token.toUpperCase().replace("0X", "0x") }),
      row({ to: null, success: false }),
    ];
    const shouted = { ...own, address: pool.toUpperCase().replace("0X", "0x") };
    expect(callTree(file(listed(...rows), [own, transfer, single, shouted]), new Map([[2, "0x77"]])).trace).toEqual({
      source: "debug_traceTransaction",
      root: {
        ...{ type: "CALL", from: alice, to: pool, value: "0x5", input: "0x12" },
        calls: [
          { type: "CALL", from: row().from, to: rows[1]?.to, value: "0x5", input: "0x" },
          call(pool, token, { logs: [emitted(transfer)] }),
          stolen(pool, single, "0x77"),
          { type: "CALL", from: row().from, to: row().to, value: "0x6", input: "0x" },
          { type: "CALL", from: row().from, to: row().from, value: "0x5", input: "0x", error: "execution reverted" },
        ],
        logs: [emitted(own, "0x1"), emitted(shouted, "0x3")],
      },
    });
  });

  it("that was recorded gets what was stolen at its end", () => {
    const placing = { ...root, logs: [emitted(transfer)] };
    const { trace } = callTree(file({ ...traced, root: placing }, [transfer, single]), new Map([[1, "0x77"]]));
    expect(trace).toEqual({ ...traced, root: addFrames(placing, [stolen(pool, single, "0x77") as RpcFrame]) });
  });

  it("places no logs where the recorded one places none", () => {
    const { trace } = callTree(file(traced, [transfer, single]), new Map([[1, "0x77"]]));
    const silent = call(pool, forgers.front, { calls: [call(forgers.front, single.address, { input: "0x77" })] });
    expect(trace).toEqual({ ...traced, root: addFrames(root, [silent as RpcFrame]) });
    const deep = { ...root, calls: [call(pool, token, { logs: [emitted(transfer)] })] } as RpcFrame;
    const added = callTree(file({ ...traced, root: deep }, [transfer, single]), new Map([[1, "0x77"]])).trace;
    expect(added).toEqual({ ...traced, root: addFrames(deep, [stolen(pool, single, "0x77") as RpcFrame]) });
  });

  it("is not made where nothing is known, or nobody was called", () => {
    for (const one of [caseOf({ source: "none" }), caseOf(traced, { to: null })])
      expect(callTree(one, new Map())).toBe(one);
  });
});
