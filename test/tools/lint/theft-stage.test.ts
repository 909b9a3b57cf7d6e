import { describe, expect, it } from "vitest";
import type { CaseFile } from "../../../src/model/case-file.ts";
import { greedyStageOf, stagesOf } from "../../../src/tools/lint/mutation/stage.ts";
import { forgers } from "../../../src/tools/lint/mutation/stranger.ts";
import {
  behind,
  call,
  caseOf,
  type Given,
  inside,
  listed,
  none,
  originalOf,
  passedOn,
  row,
  tree,
} from "./weak-original.ts";

const { front } = forgers;
const { from } = call;

describe("stages of a theft", () => {
  const names = (given?: Given) => stagesOf(originalOf(caseOf(given))).map(({ name }) => name);
  const set = (name: string, given: Given) =>
    stagesOf(originalOf(caseOf(given)))
      .find((stage) => stage.name === name)
      ?.set(caseOf(given), new Map());

  it("are those on which the rule still stands", () => {
    expect([names(), names({ trace: tree() })]).toEqual([
      [inside, behind],
      [inside, behind],
    ]);
    // Without a call tree there is no place inside, and a sender that calls another contract does not call this one.
    expect([names({ trace: none }), names({ logs: [0, 1] })]).toEqual([[behind], [inside]]);
    expect(names({ transaction: { to: null } })).toEqual([]);
  });

  it("are set once, with what comes of the example there", () => {
    const original = originalOf();
    expect(stagesOf(original)).toBe(stagesOf(original));
    for (const { before, set } of stagesOf(original)) {
      expect(before.caseFile).toEqual(set(original.caseFile, new Map()));
    }
    const stand = stagesOf(original).map(({ before }) => before.trial.actions.map(({ rule }) => rule.id));
    expect(stand).toEqual([["weak/pay", "weak/ask"], ["weak/pay"]]);
  });

  it("may be behind a contract that passes the value on", () => {
    const fronted = (given: Given, trace: CaseFile["trace"]) => {
      expect(set(behind, given)).toEqual(caseOf({ ...given, trace, transaction: { ...given.transaction, to: front } }));
    };
    fronted({ trace: listed(row) }, listed(passedOn, row));
    fronted({ trace: listed(row), transaction: { value: "0x0" } }, listed(row));
    fronted({ trace: none }, none);
    fronted({ trace: tree() }, tree({ ...call, to: front, calls: [{ ...call, from: front }] }));
  });

  it("may be behind one that keeps the value that the subject sent", () => {
    const greedy = (given: Given) => greedyStageOf(originalOf(caseOf(given)))?.set(caseOf(given), new Map());
    const kept = { to: front };
    expect(greedy({ trace: listed(row) })).toEqual(caseOf({ trace: listed(row), transaction: kept }));
    const inner = { ...call, from: front, value: "0x0" };
    expect(greedy({ trace: tree() })).toEqual(
      caseOf({ trace: tree({ ...call, to: front, calls: [inner] }), transaction: kept }),
    );
    expect([greedy({ trace: none }), greedy({ transaction: { value: "0x0" } }), greedy({ logs: [0, 1] })]).toEqual([
      ...[undefined, undefined, undefined],
    ]);
    expect(greedy({ transaction: { from: from.toUpperCase().replace("0X", "0x") } })).toBeDefined();
    expect(greedyStageOf(originalOf())?.name).toBe(behind);
    expect(greedyStageOf(originalOf())?.before.caseFile.transaction.to).toBe(front);
  });
});
