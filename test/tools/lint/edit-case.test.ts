import { describe, expect, it } from "vitest";
import type { InternalTransfer, RpcFrame } from "../../../src/model/case-file.ts";
import type { Movement } from "../../../src/model/transaction.ts";
import {
  addFrames,
  editFrame,
  editLogs,
  editMovements,
  retargetCalls,
  sameRow,
} from "../../../src/tools/lint/mutation/edit-case.ts";
import {
  alice,
  batch,
  caseOf,
  deposit,
  frame,
  listed,
  logs,
  move,
  native,
  pool,
  root,
  row,
  single,
  thief,
  topic,
  traced,
  transfer,
  word,
  zero,
} from "./paid-case.ts";

describe("logs of an edited case", () => {
  const edited = (edit: "swap" | "zero" | "drop", ...moves: Movement[]) =>
    editMovements(caseOf(), moves, edit)?.receipt.logs;
  const nft = { standard: "erc721" } as const;
  const [one, many, wrapped] = [
    move({ standard: "erc1155", log: 1 }),
    move({ standard: "erc1155", log: 2 }),
    move({ log: 3 }),
  ];

  it("are turned around", () => {
    const swapped = { ...transfer, topics: [transfer.topics[0], topic(pool), topic(alice)] };
    expect(edited("swap", move())).toEqual([swapped, single, batch, deposit]);
    const other = { ...single, topics: [...single.topics.slice(0, 2), topic(pool), topic(alice)] };
    expect(edited("swap", one, move(nft))).toEqual([swapped, other, batch, deposit]);
    expect(edited("swap", wrapped)).toBeUndefined();
    expect(edited("swap", move(), wrapped)).toBeUndefined();
    expect(edited("swap", wrapped, move())).toBeUndefined();
    expect(logs[0]).toBe(transfer);
  });

  it("are of nothing", () => {
    expect(edited("zero", move())).toEqual([{ ...transfer, data: `0x${zero}` }, single, batch, deposit]);
    expect(edited("zero", one)).toEqual([transfer, { ...single, data: `0x${word("7")}${zero}` }, batch, deposit]);
    expect(edited("zero", move({ standard: "erc721", log: 1 }))).toBeUndefined();
    expect(edited("zero", many)).toBeUndefined();
    expect(edited("zero", move(nft))).toBeUndefined();
    expect(edited("zero", move({ standard: "erc20", log: 1 }))?.[1]?.data).toBe(`0x${zero}${word("5")}`);
  });

  it("are gone", () => {
    expect(edited("drop", move(), many)).toEqual([single, deposit]);
    expect(edited("drop", wrapped, move(nft))).toEqual([single, batch]);
  });

  it("stay as they are where nothing is to be changed", () => {
    const file = caseOf();
    expect(editMovements(file, [], "drop")).toBe(file);
    expect(editLogs(file, (log, i) => (i === 1 ? undefined : log)).receipt).toEqual({
      status: "0x1",
      logs: [transfer, batch, deposit],
    });
  });
});

describe("ether of an edited case", () => {
  const editing = (trace: object, one: Movement, edit: "swap" | "zero" | "drop", more?: object) =>
    editMovements(caseOf(trace, more), [one], edit);

  it("of the transaction is taken away, with what was minted for it", () => {
    const own = native("transaction");
    expect(editing(listed(), own, "swap")).toBeUndefined();
    for (const edit of ["zero", "drop"] as const) {
      const edited = editing(traced, own, edit, { mint: "0x5" });
      expect(edited).toEqual(caseOf({ ...traced, root: { ...root, value: "0x0" } }, { value: "0x0" }));
      expect(edited?.transaction).not.toHaveProperty("mint");
      expect(editing(listed(row()), own, edit)).toEqual(caseOf(listed(row()), { value: "0x0" }));
    }
  });

  it("of a call tree leaves its frame, and comes back at the end", () => {
    const inner = native("trace", { call: 1, amount: 17n });
    const first = { ...root.calls?.[0], value: "0x0" } as RpcFrame;
    const without = { ...root, calls: [first, root.calls?.[1] as RpcFrame] };
    expect(editing(traced, inner, "zero")).toEqual(caseOf({ ...traced, root: without }));
    expect(editing(traced, inner, "drop")).toEqual(caseOf({ ...traced, root: without }));
    const back = { type: "CALL", from: pool, to: alice, value: "0x11", input: "0x" };
    expect(editing(traced, inner, "swap")).toEqual(
      caseOf({ ...traced, root: { ...without, calls: [...without.calls, back] } }),
    );
    expect(editing(listed(row()), inner, "zero")).toBeUndefined();
    expect(editing(traced, native("inferred", { call: 1 }), "zero")).toBeUndefined();
    expect(editMovements(caseOf(traced), [native("calldata"), inner], "zero")).toBeUndefined();
  });

  it("of an explorer's list is changed in its first row", () => {
    const inner = native("internal", { from: pool, to: alice });
    const rows = [row({ value: "6" }), row(), row()];
    const changed = (edit: "swap" | "zero" | "drop", list = rows) => editing(listed(...list), inner, edit)?.trace;
    expect(changed("zero")).toEqual(listed(rows[0] as never, row({ value: "0" }), row()));
    expect(changed("drop")).toEqual(listed(rows[0] as never, row()));
    const { from, to } = row();
    expect(changed("swap")).toEqual(listed(rows[0] as never, row({ from: to as string, to: from }), row()));
    expect(changed("drop", [row({ value: "6" })])).toBeUndefined();
    expect(changed("drop", [])).toBeUndefined();
    expect(editing(traced, inner, "drop")).toBeUndefined();
  });

  it.each<[Partial<InternalTransfer>, boolean]>([
    [{}, true],
    [{ success: false }, false],
    [{ value: "6" }, false],
    [{ from: alice }, false],
    [{ to: pool }, false],
    [{ to: null }, false],
  ])("is a row with %j: %s", (more, same) => {
    expect(sameRow(row(more), native("internal", { from: pool, to: alice }))).toBe(same);
  });
});

describe("frames of an edited case", () => {
  it("are found by their place in pre-order", () => {
    const at = (place: number) => editFrame(root, place, (one) => ({ ...one, value: "0x99" }));
    const [first, second] = root.calls as [RpcFrame, RpcFrame];
    expect(at(0)).toEqual({ ...root, value: "0x99" });
    expect(at(1)).toEqual({ ...root, calls: [{ ...first, value: "0x99" }, second] });
    expect(at(2)).toEqual({ ...root, calls: [{ ...first, calls: [frame("0x99")] }, second] });
    expect(at(3)).toEqual({ ...root, calls: [first, { ...second, value: "0x99" }] });
    expect(at(4)).toEqual(root);
    expect(at(2)).not.toHaveProperty("calls.1.calls");
  });

  it("come after the others", () => {
    expect(addFrames(frame("0x1"), [frame("0x2")]).calls).toEqual([frame("0x2")]);
    expect(addFrames(root, [frame("0x2"), frame("0x3")]).calls).toEqual([
      ...(root.calls as RpcFrame[]),
      ...[frame("0x2"), frame("0x3")],
    ]);
  });

  it("may be aimed at others, while logs stay", () => {
    const file = retargetCalls(caseOf(traced), new Map([[pool, thief]]));
    expect(file.receipt.logs).toEqual(logs);
    expect([file.transaction.from, file.transaction.to]).toEqual([alice, thief]);
    expect(JSON.stringify(file.trace)).not.toContain(pool);
    expect(JSON.stringify(file.trace).match(new RegExp(thief, "g"))).toHaveLength(4);
  });
});
