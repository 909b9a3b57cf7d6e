import { describe, expect, it } from "vitest";
import { toAddress } from "../../src/kernel/address.ts";
import { transferBatchTopic, transferSingleTopic, transferTopic } from "../../src/kernel/token-standards.ts";
import { callTree } from "../../src/lint/mutation/call-tree.ts";
import {
  addFrames,
  editFrame,
  editLogs,
  editMovements,
  retargetCalls,
  sameRow,
} from "../../src/lint/mutation/edit-case.ts";
import { redirect } from "../../src/lint/mutation/redirect.ts";
import { forgers } from "../../src/lint/mutation/stranger.ts";
import type { CaseFile, InternalTransfer, RpcFrame, RpcLog } from "../../src/model/case-file.ts";
import type { Movement } from "../../src/model/transaction.ts";

const party = (digit: string) => toAddress(`0x${digit.repeat(40)}`);
const [alice, pool, token, thief] = [party("a"), party("b"), party("c"), party("e")];
const word = (text: string) => text.replace("0x", "").padStart(64, "0");
const topic = (address: string) => `0x${word(address)}`;
const zero = word("0");

const transfer: RpcLog = {
  address: token,
  topics: [transferTopic.toUpperCase().replace("0X", "0x"), topic(alice), topic(pool)],
  data: `0x${word("5")}`,
};
const single: RpcLog = {
  address: token,
  topics: [transferSingleTopic, topic(thief), topic(alice), topic(pool)],
  data: `0x${word("7")}${word("5")}`,
};
const batch = { ...single, topics: [transferBatchTopic, ...single.topics.slice(1)], data: `0x${word("7").repeat(6)}` };
const deposit: RpcLog = { address: token, topics: ["0x01", topic(alice)], data: `0x${word("5")}` };
const logs = [transfer, single, batch, deposit];
const row = (more: Partial<InternalTransfer> = {}): InternalTransfer => ({
  ...{ type: "call", from: pool.toUpperCase().replace("0X", "0x"), to: alice.toUpperCase().replace("0X", "0x") },
  ...{ value: "5", success: true },
  ...more,
});
const root: RpcFrame = {
  ...{ type: "CALL", from: alice, to: pool, value: "0x5", input: "0x12" },
  calls: [
    { type: "CALL", from: pool, to: token, value: "0x5", input: "0x", calls: [frame("0x1")] },
    { type: "CALL", from: pool, to: alice, value: "0x5", input: "0x" },
  ],
};
const traced = { source: "debug_traceTransaction", root } as const;
const listed = (...internal_transfers: InternalTransfer[]) => {
  return { source: "internal_transfers", provider: "example", internal_transfers } as const;
};

function frame(value: string): RpcFrame {
  return { type: "CALL", from: token, to: pool, value, input: "0x" };
}

function caseOf(trace: object = listed(), more: object = {}): CaseFile {
  const transaction = { hash: "0x1", from: alice, to: pool, value: "0x5", input: "0x12", ...more };
  return { transaction, receipt: { status: "0x1", logs }, trace } as unknown as CaseFile;
}

function move(more: Partial<Movement> = {}): Movement {
  const plain = { index: 0, standard: "erc20", token, tokenId: null, amount: 5n, from: alice, to: pool } as const;
  return { ...plain, log: 0, call: -1, fee: false, basis: "log", ...more };
}
const native = (basis: Movement["basis"], more: Partial<Movement> = {}) =>
  move({ standard: "native", token: null, log: -1, basis, ...more });

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
    const { trace } = callTree(file(traced, [transfer, single]), new Map([[1, "0x77"]]));
    expect(trace).toEqual({ ...traced, root: addFrames(root, [stolen(pool, single, "0x77") as RpcFrame]) });
  });

  it("is not made where nothing is known, or nobody was called", () => {
    for (const one of [caseOf({ source: "none" }), caseOf(traced, { to: null })])
      expect(callTree(one, new Map())).toBe(one);
  });
});
