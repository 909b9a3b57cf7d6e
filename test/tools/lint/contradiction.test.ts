import { describe, expect, it } from "vitest";
import { checkContradictions } from "../../../src/tools/lint/checks/condition.ts";

const is = (value: string) => ({ "==": [{ var: "args.n" }, value] });
const not = (value: string) => ({ "!=": [{ var: "args.n" }, value] });

/** The paths that are told of rules with these conditions. */
function told(...wheres: unknown[]): unknown[] {
  const file = { scope: { contracts: new Map() } };
  const found = wheres.flatMap((where, i) => [
    ...checkContradictions({ entry: { where }, at: ["rules", i] } as never, file as never),
  ]);
  for (const [code, , message] of found)
    expect([code, message]).toEqual(["RL404", "the condition contradicts another one, so that the rule never fits"]);
  return found.map(([, path]) => path);
}

describe("a condition that contradicts another one", () => {
  it.each<[string, unknown, unknown[]]>([
    ["in a list", [is("1"), not("2"), is("2")], [["rules", 0, "where", 2]]],
    [
      "in a list, each",
      [is("1"), is("2"), is("3")],
      [
        ["rules", 0, "where", 1],
        ["rules", 0, "where", 2],
      ],
    ],
    ["inside one", { and: [is("1"), is("2")] }, [["rules", 0, "where"]]],
    ["inside one of a list", [not("3"), { and: [is("1"), not("1")] }], [["rules", 0, "where", 1]]],
    ["inside another", [{ and: [not("2"), is("1")] }, is("2")], [["rules", 0, "where", 1]]],
  ])("is told at its place: %s", (_what, where, paths) => {
    expect(told(where)).toEqual(paths);
  });

  it("is looked for in each rule by itself", () => {
    expect(told(is("1"), is("2"), undefined, [is("1"), is("2")])).toEqual([["rules", 3, "where", 1]]);
    expect([told(), told([]), told([is("1"), not("2")])]).toEqual([[], [], []]);
  });
});
