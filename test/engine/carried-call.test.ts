import { describe, expect, it } from "vitest";
import { decodeCarried } from "../../src/engine/carried-call.ts";
import type { CaseFile } from "../../src/model/case-file.ts";
import { alice, bob, carol, caseOf, metadata, usdc } from "../support/case-of.ts";

const world = { given: [] as unknown[], decoded: {} as object };

const stages = (file: CaseFile) => {
  world.given.push(file);
  return world.decoded as never;
};
const call = { from: bob, to: carol, value: 0n, data: "0x12" };
const around = {
  ...caseOf({ tokens: { [usdc]: metadata("USDC", 6) }, transaction: { nonce: "0x7" } }),
  simulation: { method: "x" },
} as unknown as CaseFile;

/** What comes of a call whose stages find this. A call is `id parent`, then perhaps `step` or its state. */
function decode(actions: object[], calls: string[] = [], truncated: string[] = []) {
  const made = calls.map((text) => {
    const [id, parent, word] = text.split(" ");
    return { id: Number(id), parent: Number(parent), step: word === "step" ? 1 : null, state: word ?? "done" };
  });
  world.decoded = { settled: { actions }, unwrapped: { calls: made, truncated } };
  const { acts, decoded } = decodeCarried(call, around, stages);
  expect(decoded).toBe(world.decoded);
  return { ...acts, calls: acts.calls.map(({ id }) => id), told: [...acts.told] };
}

const act = (parts: { place?: number; anchor?: string; calls?: number[]; call?: number } = {}) => {
  const { place = 1, anchor = "call", calls = [], call: id } = parts;
  const rule = { specificity: { place }, anchor: { kind: anchor } };
  return { rule, calls, context: { call: id === undefined ? null : { id } } };
};

describe("the case of a carried call", () => {
  it.each<[string, object, string]>([
    ["with data", {}, "0x0"],
    ["with value", { value: 255n, data: "0x" }, "0x0"],
    ["of nothing", { data: "0x" }, "0x1"],
  ])("is that of a transaction in which nothing ran: %s", (_name, parts, status) => {
    world.given = [];
    world.decoded = { settled: { actions: [] }, unwrapped: { calls: [], truncated: [] } };
    const held = { ...call, ...parts };
    decodeCarried(held, around, stages);
    const { simulation: _, ...rest } = around;
    const { hash } = around.transaction;
    const transaction = {
      hash,
      from: bob,
      to: carol,
      value: `0x${held.value.toString(16)}`,
      input: held.data,
      nonce: "0x7",
    };
    const receipt = { status, logs: [] };
    const trace = { source: "none", reason: "a call inside of another one" };
    expect(world.given).toEqual([{ ...rest, transaction, receipt, trace }]);
    expect(world.given[0]).not.toHaveProperty("simulation");
  });

  it("has no nonce where none is known", () => {
    world.given = [];
    decodeCarried(call, caseOf({ transaction: { from: alice } }), stages);
    expect(world.given[0]).not.toHaveProperty("transaction.nonce");
  });
});

describe("what a carried call does", () => {
  it.each<[string, object, boolean]>([
    ["a rule about a call of a known place", { place: 1, anchor: "call" }, true],
    ["a rule about a call anywhere", { place: 0, anchor: "call" }, true],
    ["a rule about a place alone", { place: 1, anchor: "none" }, true],
    ["a rule about whatever it is", { place: 0, anchor: "none" }, false],
  ])("is told by %s: %s", (_name, parts, kept) => {
    const one = act(parts);
    expect(decode([one]).actions).toEqual(kept ? [one] : []);
  });

  it.each<[string, object[], string[], number[], number[]]>([
    ["no call", [], [], [], []],
    ["a call that nobody tells", [], ["0 -1"], [0], []],
    ["the innermost calls alone", [], ["0 -1", "1 0", "2 1", "3 0"], [2, 3], []],
    ["no call of a step", [], ["0 -1", "1 0", "2 0 step"], [1], []],
    ["no call that is told", [act({ call: 1 })], ["0 -1", "1 0", "2 0"], [2], [1]],
    ["no call that is told beside others", [act({ calls: [1, 2] })], ["0 -1", "1 0", "2 0", "3 0"], [3], [1, 2]],
    [
      "no call that an act is about, with those beside it",
      [act({ calls: [2], call: 1 })],
      ["0 -1", "1 0", "2 0", "3 0"],
      [3],
      [2, 1],
    ],
    ["no call inside of what is told", [act({ call: 1 })], ["0 -1", "1 0", "2 1", "3 2", "4 0"], [4], [1]],
    ["nothing where the first is told", [act({ call: 0 })], ["0 -1", "1 0", "2 1"], [], [0]],
    ["a call that only words for whatever tell", [act({ place: 0, anchor: "none", call: 0 })], ["0 -1"], [0], []],
  ])("leaves over: %s", (_name, actions, calls, left, told) => {
    expect(decode(actions, calls)).toMatchObject({ calls: left, told });
  });

  it.each<[string, string[], string[], boolean]>([
    ["nothing", [], [], false],
    ["what was read", ["0 -1", "1 0 reverted"], [], false],
    ["what was cut", ["0 -1"], ["too deep"], true],
    ["what was not read", ["0 -1", "1 0 opaque"], [], true],
  ])("could be read or not: %s", (_name, calls, truncated, opaque) => {
    expect(decode([], calls, truncated).opaque).toBe(opaque);
  });
});
