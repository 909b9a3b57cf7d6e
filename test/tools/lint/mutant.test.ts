import { describe, expect, it } from "vitest";
import { judgeByRule } from "../../../src/tools/lint/mutation/mutant.ts";
import { originalOf, outcomeOf, pool, subject } from "./forged-case.ts";

describe("a rule that still stands", () => {
  it("does so as often as before, for the same subject", () => {
    const action = (id: string, account = subject) => ({ rule: { id }, context: { subject: account } });
    const judge = (...actions: object[]) => judgeByRule(originalOf())(outcomeOf({ actions }));
    expect(judge(action("a/b"))).toBe("the rule still stands");
    expect(judge(action("a/b"), action("a/b"))).toBe("the rule still stands");
    expect([judge(), judge(action("a/c")), judge(action("a/b", pool))]).toEqual([null, null, null]);
  });
});
