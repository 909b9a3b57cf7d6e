import { describe, expect, it } from "vitest";
import type { CaseFile, RpcFrame, RpcLog } from "../../../src/model/case-file.ts";
import type { CallStep } from "../../../src/tools/audit/facts/facts.ts";
import { keyOfLog, readFacts } from "../../../src/tools/audit/facts/read-facts.ts";
import type { Knowledge } from "../../../src/tools/audit/knowledge.ts";
import { alice, bob, carol, caseOf, frame, token, traced, transferLog, vault, zero } from "../../support/case-of.ts";

const knowledge = { wrapped: new Set() } as unknown as Knowledge;
const read = (file: CaseFile) => readFacts(file, knowledge);
const own: CallStep = {
  ...{ index: 0, parent: -1, type: "CALL", from: alice, to: vault, value: 0n, input: "0x", selector: "0x" },
  emitted: [],
};
const logs = (...list: RpcLog[]) => ({ receipt: { logs: list } });
const transfer = transferLog(token, alice, bob, 5n);
const emitted = { index: 0, address: token, topics: transfer.topics, data: transfer.data };

describe("what a case file proves", () => {
  it("is only the transaction's own call if nothing else is known", () => {
    const file = caseOf();
    expect(read(file)).toEqual({
      ...{ file, sender: alice, called: vault, succeeded: true, logs: [], steps: [own], traced: false },
      ...{ etherKnown: false, moves: [], byAsset: new Map(), byLog: new Map() },
    });
  });

  it("has no movements if the transaction reverted", () => {
    const file = caseOf({
      transaction: { value: "0x5" },
      receipt: { status: "0x0", logs: [transfer] },
      trace: traced(frame(alice, vault, { logs: [transfer] })),
    });
    expect(read(file)).toMatchObject({ succeeded: false, traced: true, etherKnown: true });
    expect(read(file)).toMatchObject({ logs: [], steps: [], moves: [], byAsset: new Map(), byLog: new Map() });
    // A status that is missing or odd is none of failure.
    expect([undefined, "0x1", "0x2"].map((status) => read(caseOf({ receipt: { status } as never })).succeeded)).toEqual(
      [true, true, true],
    );
  });

  it("is about a new contract if nothing is called", () => {
    const made = (contractAddress?: string) =>
      read(caseOf({ transaction: { to: null, value: "0x5" }, receipt: { contractAddress } as never }));
    expect(made(bob)).toMatchObject({ called: null, steps: [{ type: "CREATE", from: alice, to: bob, value: 5n }] });
    expect(made()).toMatchObject({ called: null, steps: [{ type: "CREATE", to: zero }] });
  });

  it("has the ether of an explorer's list, which is complete", () => {
    const row = { from: bob, to: carol, value: "0x7", type: "call", success: true };
    const file = caseOf({
      transaction: { value: "0x5" },
      trace: { source: "internal_transfers", provider: "x", internal_transfers: [row] },
    });
    const { moves, etherKnown, traced: isTraced, byAsset } = read(file);
    expect([etherKnown, isTraced]).toEqual([true, false]);
    expect(moves.map(({ from, to, amount }) => [from, to, amount])).toEqual([
      [alice, vault, 5n],
      [bob, carol, 7n],
    ]);
    expect(byAsset).toEqual(new Map([["ether", moves]]));
  });
});

describe("logs of a case file", () => {
  it.each<[string, object]>([
    ["its address", { address: "0x12" }],
    ["its data", { data: "zz" }],
    ["its first topic", { topics: ["0x12", ...transfer.topics.slice(1)] }],
    ["its last topic", { topics: [...transfer.topics.slice(0, 2), "?"] }],
  ])("are left out where one is malformed in %s, and the others keep their places", (_what, broken) => {
    const { logs: found, moves } = read(caseOf(logs({ ...transfer, ...broken } as never, transfer)));
    expect(found).toEqual([{ ...emitted, index: 1 }]);
    expect(moves.map(({ log }) => log)).toEqual([1]);
  });

  it("are kept in lower case, by asset, without topics too", () => {
    const upper = { ...transfer, address: token.toUpperCase().replace("0X", "0x") };
    const bare = { ...transfer, topics: [] };
    expect(read(caseOf(logs(upper, bare))).logs).toEqual([emitted, { ...emitted, index: 1, topics: [] }]);
  });

  it("are equal by contract, topics and data", () => {
    const key = keyOfLog(emitted);
    expect(keyOfLog({ ...emitted })).toBe(key);
    const others = [{ address: vault }, { topics: emitted.topics.slice(1) }, { data: "0x" }];
    expect(new Set([key, ...others.map((parts) => keyOfLog({ ...emitted, ...parts }))]).size).toBe(4);
  });

  it("are found by the calls that emitted them", () => {
    const calls = [frame(vault, bob, { logs: [transfer] }), frame(vault, carol, { logs: [transfer, transfer] })];
    const { byLog, steps } = read(caseOf({ ...logs(transfer), trace: traced(frame(alice, vault, { calls })) }));
    expect([...byLog]).toEqual([[keyOfLog(emitted), [steps[1], steps[2], steps[2]]]]);
    expect(steps[2]?.emitted).toEqual([emitted, { ...emitted, index: 1 }]);
  });
});

describe("calls of a case file", () => {
  const steps = (calls: RpcFrame[], parts: Partial<RpcFrame> = {}) =>
    read(caseOf({ trace: traced(frame(bob, carol, { ...parts, calls })) })).steps;
  const ends = (calls: RpcFrame[]) => steps(calls).map(({ index, parent, to }) => [index, parent, to]);

  it("are in the order in which they began, each with the one around it", () => {
    const calls = [frame(vault, bob, { calls: [frame(bob, carol), frame(bob, alice)] }), frame(vault, token)];
    expect(ends(calls)).toEqual([
      [0, -1, vault],
      [1, 0, bob],
      [2, 1, carol],
      [3, 1, alice],
      [4, 0, token],
    ]);
  });

  it.each<[string, Partial<RpcFrame>]>([
    ["failed", { error: "execution reverted" }],
    ["came from nowhere", { from: "0x" }],
    ["went nowhere", { to: undefined } as never],
  ])("are without those that %s, and all inside of them", (_what, parts) => {
    const broken = frame(vault, bob, { calls: [frame(bob, carol)], ...parts });
    expect(ends([broken, frame(vault, token)])).toEqual([
      [0, -1, vault],
      [1, 0, token],
    ]);
  });

  it("are read with their kind, value and data; the first one is the transaction's own", () => {
    const call = { type: "staticcall", value: "0x10", input: "0x12345678AB" };
    const bare = { type: "Call", from: bob, to: carol } as RpcFrame;
    expect(steps([frame(vault, bob, call), bare], { value: "0x7", input: "0x99" })).toEqual([
      own,
      {
        ...{ ...own, index: 1, parent: 0, type: "STATICCALL", from: vault, to: bob, value: 16n },
        ...{ input: "0x12345678ab", selector: "0x12345678" },
      },
      { ...own, index: 2, parent: 0, from: bob, to: carol },
    ]);
    expect(steps([frame(vault, bob, { value: "?", input: "0x1234" })])[1]).toMatchObject({
      ...{ value: 0n, input: "0x1234", selector: "0x" },
    });
  });
});
