import { describe, expect, it } from "vitest";
import type { Candidate } from "../../../src/engine/match/candidate.ts";
import { othersLast } from "../../../src/engine/settle/others-last.ts";
import type { Movement } from "../../../src/model/transaction.ts";
import { callOf, type FitParts, logAt } from "../../support/candidate.ts";
import { alice, bob, token, usdc } from "../../support/case-of.ts";
import { candidate, ids, tx } from "./order-case.ts";

const at = (...indexes: number[]): Movement[] => indexes.map((index) => tx.movements[index] as Movement);

describe("what others did", () => {
  const called = { anchor: { kind: "call" } as never };
  const send = candidate("send", {
    tier: "transfer",
    rule: called,
    context: { call: callOf({ to: usdc }) },
    fit: { alone: true, movements: [0], calls: [0] },
  });
  const approve = candidate("approve", {
    tier: "approval",
    rule: called,
    context: { call: callOf({ to: usdc }), log: logAt(usdc) },
    fit: { alone: true, logs: [3] },
  });
  const own = candidate("own", { rule: { who: [() => alice] as never } });
  const behind = (one: Candidate, act = send) => ids(othersLast([one, own, act]));
  const last = (id: string, act = "send") => ["own", act, id];
  const first = (id: string, act = "send") => [id, "own", act];

  it.each<[string, FitParts, boolean]>([
    ["an event that names nobody", {}, true],
    ["an event that names somebody", { rule: { who: [() => alice] as never } }, false],
    ["an event beside a call", { rule: { anchor: { kind: "event", companion: {} } as never } }, false],
    ["a call", { rule: { anchor: { kind: "call" } as never } }, false],
    ["an event with a leg of the subject's", { context: { legs: at(1, 0) } }, false],
    ["an event with what came to the subject", { context: { legs: at(2) } }, false],
    ["an event with legs of others only", { context: { legs: [null, ...at(1)] } }, true],
    ["an event that claims what is the subject's", { fit: { movements: [0] } }, true],
    [
      "money flow with legs of others only",
      { rule: { anchor: { kind: "none" } as never, legs: [{}] as never }, context: { legs: at(1) } },
      true,
    ],
    [
      "money flow with one leg of the subject's",
      { rule: { anchor: { kind: "none" } as never, legs: [{}, {}] as never }, context: { legs: at(1, 0) } },
      false,
    ],
    ["an authorization", { rule: { anchor: { kind: "authorization", companion: null } as never } }, false],
    ["money flow without legs", { rule: { anchor: { kind: "none" } as never } }, false],
    ["a change of control of somebody else's", { rule: { control: true }, fit: { foreign: true } }, true],
    ["a change of control of its own", { rule: { control: true } }, false],
    ["an act for somebody else", { rule: { actsFor: (() => bob) as never } }, true],
    [
      "an act for somebody else by the same log",
      { rule: { actsFor: (() => bob) as never }, fit: { logs: [3, 4] } },
      true,
    ],
    [
      "an act for somebody else by the same call",
      { rule: { actsFor: (() => bob) as never }, fit: { calls: [1, 0] } },
      false,
    ],
    [
      "an act for somebody else by the same money",
      { rule: { actsFor: (() => bob) as never }, fit: { movements: [1, 0] } },
      false,
    ],
  ])("comes after a plain transfer where it is %s", (_, parts, expected) => {
    expect(behind(candidate("one", parts))).toEqual(expected ? last("one") : first("one"));
  });

  it.each<[string, FitParts, boolean]>([
    ["an event that claims nothing of the subject's", { fit: { movements: [1] } }, true],
    ["an event that claims something of the subject's", { fit: { movements: [1, 0] } }, false],
    [
      "money flow",
      { rule: { anchor: { kind: "none" } as never, legs: [{}] as never }, context: { legs: at(1) } },
      false,
    ],
    [
      "an act for somebody else by the same log",
      { rule: { actsFor: (() => bob) as never }, fit: { logs: [4, 3] } },
      false,
    ],
  ])("comes after a plain approval where it is %s", (_, parts, expected) => {
    expect(behind(candidate("one", parts), approve)).toEqual(
      expected ? last("one", "approve") : first("one", "approve"),
    );
  });

  it.each<[string, Candidate]>([
    ["is not all that was done", { ...send, alone: false }],
    ["moved nothing", { ...send, movements: [] }],
    ["moved another token, too", { ...send, movements: [0, 3] }],
    [
      "has a type of its own",
      candidate("send", { context: { call: callOf({ to: usdc }) }, fit: { alone: true, movements: [0] } }),
    ],
    [
      "is somebody else's",
      candidate("send", {
        tier: "transfer",
        rule: { actsFor: (() => bob) as never },
        context: { call: callOf({ to: usdc }) },
        fit: { alone: true, movements: [0], calls: [9] },
      }),
    ],
    [
      "yields",
      candidate("send", {
        tier: "transfer",
        rule: { yields: true },
        context: { call: callOf({ to: usdc }) },
        fit: { alone: true, movements: [0] },
      }),
    ],
    [
      "is an allowance of another contract",
      candidate("send", {
        tier: "approval",
        rule: called,
        context: { call: callOf({ to: token }), log: logAt(usdc) },
        fit: { alone: true },
      }),
    ],
  ])("stays in its place beside a transfer that %s", (_, act) => {
    expect(ids(othersLast([candidate("one"), act]))).toEqual(["one", "send"]);
  });

  it("comes after a plain transfer beside a plain approval, unless it shares evidence with one of them", () => {
    const order = (one: Candidate) => ids(othersLast([one, own, send, approve]));
    const flow = { rule: { anchor: { kind: "none" } as never, legs: [{}] as never }, context: { legs: at(1) } };
    expect(order(candidate("one", flow))).toEqual(["own", "send", "approve", "one"]);
    const shared = { rule: { actsFor: (() => bob) as never }, fit: { calls: [0] } };
    expect(order(candidate("one", shared))).toEqual(["one", "own", "send", "approve"]);
  });

  it("to control other accounts, or what stands although the transaction reverted, is the last", () => {
    const foreign = candidate("foreign", { rule: { control: true }, fit: { foreign: true } });
    const control = candidate("control", { rule: { control: true } });
    expect(ids(othersLast([foreign, control, own]))).toEqual(["control", "own", "foreign"]);
    expect(ids(othersLast([candidate("foreign", { fit: { foreign: true } }), own]))).toEqual(["foreign", "own"]);
    const failed = candidate("control", { rule: { control: true } }, { ...tx, status: "reverted" });
    expect(ids(othersLast([failed, own]))).toEqual(["own", "control"]);
    const list = [control, own];
    expect(othersLast(list)).toBe(list);
  });
});
