import { describe, expect, it } from "vitest";
import { leafCalls, stepsOf } from "../../../src/engine/unwrap/call-tree.ts";
import type { ActorCall } from "../../../src/model/match.ts";
import { call } from "./made-transaction.ts";

describe("the calls of a transaction", () => {
  it("end in those that hold no further ones; steps are part of their call", () => {
    const step = (id: number, parent: number) => call(id, { parent, step: "swap" });
    const ids = (calls: ActorCall[]) => leafCalls(calls).map(({ id }) => id);
    expect(ids([call(0)])).toEqual([0]);
    expect(ids([step(0, -1)])).toEqual([]);
    expect(ids([call(0), call(1)])).toEqual([1]);
    expect(ids([call(0), call(1, { parent: 0 }), call(2, { parent: 0 })])).toEqual([1, 2]);
    expect(ids([call(0), step(1, 0), step(2, 0)])).toEqual([0]);
    expect(ids([call(0), step(1, 0), call(2, { parent: 1 })])).toEqual([2]);
    expect(
      ids([call(0), call(1, { parent: 0 }), call(2, { parent: 1 }), call(3, { parent: 1 }), call(4, { parent: 0 })]),
    ).toEqual([2, 3, 4]);
  });

  it("carry steps, and those of programs inside of them", () => {
    const step = (id: number, parent: number) => call(id, { parent, step: "swap" });
    const calls = [call(0), step(1, 0), step(2, 1), call(3, { parent: 1 }), step(4, 3), step(5, 0)];
    expect(stepsOf(calls, calls[0] as ActorCall)).toEqual([1, 2, 5]);
    expect(stepsOf(calls, calls[3] as ActorCall)).toEqual([4]);
    expect(stepsOf(calls, calls[1] as ActorCall)).toEqual([]);
    expect(stepsOf([call(0), call(1)], call(0))).toEqual([]);
  });
});
