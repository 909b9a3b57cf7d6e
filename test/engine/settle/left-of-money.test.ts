import { describe, expect, it } from "vitest";
import type { Candidate, Deferred } from "../../../src/engine/match/candidate.ts";
import { settle } from "../../../src/engine/settle/settle.ts";
import { tierRank } from "../../../src/rules/ruleset/actions.ts";
import { alice } from "../../support/case-of.ts";
import { moved } from "../../support/movements.ts";

const specificity = { place: 0, evidence: 0, legs: 0 };
/** A flow given by its movements: those that were given, those that came, and those that cancel out. */
const flowOf = (gives: number[], gets: number[], neutral: number[] = []) => {
  const asset = (movements: number[]) => (movements.length === 0 ? [] : [{ key: "native", movements, amount: 1n }]);
  return { gives: asset(gives), gets: asset(gets), neutral: asset(neutral) };
};
interface Parts extends Partial<Omit<Candidate, "rule" | "context">> {
  rule?: object;
  flow?: ReturnType<typeof flowOf>;
}
/** An attempt that fits, so its money is not examined. */
function act(id: string, { rule = {}, flow = flowOf([], []), ...parts }: Parts = {}): Candidate {
  return {
    rule: {
      ...{ id, status: "reverted", tier: tierRank("protocol"), controlRank: 0, overrides: [], rank: 0, defers: false },
      ...{
        specificity,
        attempt: null,
        yields: false,
        control: false,
        absorbs: [],
        flow: null,
        anchor: { kind: "none" },
      },
      ...{ actsFor: null, legs: [], who: [], ...rule },
    },
    context: { subject: alice, flow, legs: [], log: null, call: null, tx: moved([]), target: null },
    ...{ logs: [], calls: [], movements: [], steps: [], absorbedMovements: [], alone: false, foreign: false },
    ...{ gift: null, position: 0, refit: null, ...parts },
  } as unknown as Candidate;
}
function settled(candidates: Candidate[], deferred: Deferred[] = []) {
  const unwrapped = { tx: moved([]), subject: alice, calls: [], actors: [], principals: new Set([alice]) };
  const known = { grants: { calls: new Map(), events: new Map() }, labels: {} };
  const found = settle({ candidates, deferred, truncated: [] }, unwrapped as never, known as never);
  return {
    ids: found.actions.map(({ rule }) => rule.id),
    lost: found.superseded.map(({ rule, by, reason }) => [rule, by, reason]),
    actions: found.actions,
    claimed: [found.claimedLogs, found.claimedCalls, found.claimedMovements].map((one) => [...one.keys()]),
  };
}

describe("the money that acts may explain", () => {
  /** The sets of movements that are left out when the second act is tried. The first act is open on these sides. */
  const tried = (gives: boolean, gets: boolean, flow: ReturnType<typeof flowOf>) => {
    const seen: number[][] = [];
    const refit = (explained: ReadonlySet<number>) => {
      seen.push([...explained]);
      return undefined;
    };
    const first = act("a", {
      rule: { flow: { open: { gives, gets }, gives: null, gets: null } },
      flow,
      movements: [0],
    });
    const { lost, ids } = settled([first, act("b", { refit, flow: flowOf([], [], [0]) })]);
    expect([ids, lost]).toEqual([["a"], [["b", "a", "what is left of the money does not fit"]]]);
    return seen;
  };
  it.each<[string, number[][], boolean, boolean, ReturnType<typeof flowOf>]>([
    ["what they claim, where no side is open", [[0]], false, false, flowOf([1], [2])],
    ["what they claim, where an open side holds nothing else", [[0]], true, true, flowOf([0], [])],
    ["what came besides, else not", [[0, 2], [0]], false, true, flowOf([1], [2])],
    ["what was given besides, else not", [[0, 1], [0]], true, false, flowOf([1], [2])],
    ["both, what came, what was given, none", [[0, 2, 1], [0, 2], [0, 1], [0]], true, true, flowOf([1], [2])],
    ["several of each", [[0, 3, 4, 1, 2], [0, 3, 4], [0, 1, 2], [0]], true, true, flowOf([1, 2], [3, 0, 4])],
  ])("is %s", (_what, expected, gives, gets, flow) => expect(tried(gives, gets, flow)).toEqual(expected));

  it("is computed again after each act, and the first act that fits is taken", () => {
    const seen: string[] = [];
    const again = (id: string, claims: number) =>
      act(id, {
        flow: flowOf([0], []),
        refit: (explained) => {
          seen.push(`${id} ${[...explained]}`);
          return act(id, { movements: [claims] });
        },
      });
    const { ids, claimed } = settled([act("a", { movements: [0] }), again("b", 1), again("c", 2)]);
    expect([ids, seen, claimed[2]]).toEqual([
      ["a", "b", "c"],
      ["b 0", "c 0,1"],
      [0, 1, 2],
    ]);
  });

  it.each<[string, boolean, ReturnType<typeof flowOf>]>([
    ["what it gave", true, flowOf([1, 0], [])],
    ["what it got", true, flowOf([], [0])],
    ["what cancels out", true, flowOf([], [], [0])],
    ["nothing of it", false, flowOf([1], [2], [3])],
  ])("is asked where others claim %s: %s", (_what, expected, flow) => {
    const refit = () => undefined;
    const { ids } = settled([act("a", { movements: [0] }), act("b", { refit, flow })]);
    expect(ids).toEqual(expected ? ["a"] : ["a", "b"]);
    expect(settled([act("b", { refit, flow })]).ids).toEqual(["b"]);
  });
});

describe("an act that claims what another claims", () => {
  it.each<[string, Parts, Parts, string | null]>([
    ["a log", { logs: [7] }, { logs: [6, 7] }, "log 7 is claimed"],
    ["a call", { calls: [2] }, { calls: [2] }, "call 2 is claimed"],
    ["a call by its steps", { calls: [2] }, { steps: [2] }, "call 2 is claimed"],
    ["a movement", { movements: [0] }, { movements: [0] }, "movement 0 is claimed"],
    ["nothing of it", { logs: [1], calls: [2], movements: [3] }, { logs: [2], calls: [3], movements: [1] }, null],
    ["steps alone", { steps: [2] }, { steps: [2] }, null],
    ["what is only taken along", { absorbedMovements: [1] }, { movements: [1] }, null],
  ])("stands where it is not %s", (_what, one, other, reason) => {
    const { ids, lost } = settled([act("a", one), act("b", other)]);
    expect(ids).toEqual(reason === null ? ["a", "b"] : ["a"]);
    expect(lost).toEqual(reason === null ? [] : [["b", "a", reason]]);
  });

  it("is superseded by the act that claimed the evidence, no matter which act comes first", () => {
    const { lost } = settled([act("a"), act("b", { logs: [1] }), act("c", { logs: [1] })]);
    expect(lost).toEqual([["c", "b", "log 1 is claimed"]]);
  });

  it("changes nothing that other acts claim or take along", () => {
    const { claimed } = settled([act("a", { logs: [3], calls: [2], movements: [1], absorbedMovements: [5, 1] })]);
    expect(claimed).toEqual([[3], [2], [1, 5]]);
  });
});

describe("acts that were left for later", () => {
  const later = (id: string, parts: Parts | null): Deferred => {
    const made = parts === null ? undefined : act(id, parts);
    return { rule: act(id).rule, position: 0, refit: () => made };
  };
  it("are told if they claim something, in their order", () => {
    const deferred = [later("d", { movements: [2] }), later("c", { movements: [1] }), later("e", null), later("f", {})];
    expect(settled([act("a")], deferred)).toMatchObject({ ids: ["a", "c", "d"], lost: [] });
  });

  it("are told only if there are other acts", () => {
    expect(settled([], [later("d", { movements: [2] })]).ids).toEqual([]);
  });
});

describe("what is told of an act", () => {
  const open = { flow: { open: { gives: true, gets: true }, gives: null, gets: null } };
  const told = (movements: number[], flow: ReturnType<typeof flowOf>, rule: object = open) => {
    const { actions } = settled([act("a", { movements: [8, 9] }), act("b", { rule, flow, movements })]);
    const { gives, gets } = (actions[1] as Candidate).context.flow;
    return [gives.length, gets.length];
  };
  const two = (one: number[], other: number[]) => ({
    ...flowOf(one, []),
    gets: [...flowOf([], one).gets, ...flowOf([], other).gets],
  });
  it.each<[string, number[], number[], ReturnType<typeof flowOf>, object?]>([
    ["all of its own", [1, 2], [1], two([0], [1])],
    ["not what others claim", [1, 1], [1], two([8], [1])],
    ["what others claim in part", [1, 2], [1], two([8, 0], [1])],
    ["all where others claim everything", [1, 2], [1], two([8], [9])],
    ["all where it asks for no flow", [1, 2], [1], two([8], [1]), { flow: null }],
  ])("is %s", (_what, expected, movements, flow, rule) => expect(told(movements, flow, rule)).toEqual(expected));
});
