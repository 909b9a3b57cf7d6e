import { describe, expect, it } from "vitest";
import { checkAbiUse } from "../../../src/tools/lint/checks/abi-use.ts";

const abi = { run: {}, Ran: {}, Failed: { kind: "error" } };
const members = { pool: { factory: { read: "isPool" } } };

/** What is told of a file that names these words. */
function told(
  words: unknown,
  { written = { abi, members }, messages = [] }: { written?: unknown; messages?: string[] } = {},
) {
  const file = {
    document: { abi: { run: "run Ran" }, members, rules: words },
    scope: { abi: new Map(Object.entries(abi)), messages: new Map(messages.map((name) => [name, {}])) },
    written,
  };
  return [...checkAbiUse(file as never)];
}

const unused = (list: "abi" | "members", ...names: string[]) =>
  names.map((name) => ["RL506", [list, name], `\`${name}\` is not used in this file`, { key: true }]);

describe("what a file defines and does not use", () => {
  it("is told: members first, then items of the ABI and messages; errors are read anyway", () => {
    expect(told([])).toEqual([...unused("members", "pool"), ...unused("abi", "run", "Ran")]);
    const written = { abi: { ...abi, Order: "" }, members };
    expect(told([], { written, messages: ["Order"] })).toEqual([
      ...unused("members", "pool"),
      ...unused("abi", "run", "Ran", "Order"),
    ]);
  });

  it("is what the file writes itself", () => {
    expect(told([], { written: { abi: { run: "" } } })).toEqual(unused("abi", "run"));
    expect([told([], { written: { abi: {} } }), told([], { written: null })]).toEqual([[], []]);
  });

  it.each<[string, unknown, string[]]>([
    ["a value", [{ call: "run" }], ["Ran"]],
    ["a word of a text", ["when (run), or", { deep: [{ er: "x.Ran-y" }] }], []],
    ["a key", { run: null }, ["Ran"]],
    ["a key inside", [[{ Ran: { run: 1 } }]], []],
    ["part of a word", ["running", "Ran_1", "rerun"], ["run", "Ran"]],
    ["no text", [1, null, true], ["run", "Ran"]],
  ])("is not what stands as %s", (_what, words, left) => {
    expect(told([words, "pool"])).toEqual(unused("abi", ...left));
  });

  it("is used by a path that reads bytes as any call with such an argument", () => {
    const inputs = { names: ["to", "order"], items: [{ kind: "address" }, { kind: "tuple", names: ["owner"] }] };
    const file = {
      document: { rules: ["args.data.as.any.owner", "args.data.as.any.to.as.any.x"] },
      scope: {
        abi: new Map(Object.entries({ run: { inputs }, other: { inputs: { names: ["owners"], items: [{}] } } })),
        messages: new Map(),
      },
      written: { abi: { run: "", other: "" } },
    };
    expect([...checkAbiUse(file as never)].map(([, path]) => path)).toEqual([["abi", "other"]]);
  });

  it("is not used by itself, nor a position by its number", () => {
    // Members may use items, but members do not use members.
    expect(told(["run", "Ran"])).toEqual(unused("members", "pool"));
    const file = {
      document: { members: { a: { read: "b run" }, b: { read: "Ran" } }, rules: ["x"] },
      scope: { abi: new Map(Object.entries({ run: {}, Ran: {}, "0": {} })), messages: new Map() },
      written: { abi: { run: "", Ran: "", "0": "" }, members: { a: {}, b: {} } },
    };
    expect([...checkAbiUse(file as never)].map(([, path]) => path)).toEqual([
      ["members", "a"],
      ["members", "b"],
      ["abi", "0"],
    ]);
  });
});
