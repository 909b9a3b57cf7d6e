import { describe, expect, it } from "vitest";
import { checkOverrides } from "../../../src/tools/lint/checks/set/override-edge.ts";
import { checkTies } from "../../../src/tools/lint/checks/set/tied-rules.ts";
import { lintTexts } from "./lint-text.ts";
import { codesOf, event, file, rule } from "./tied-rules.ts";

const specificity = { place: 1, evidence: 1, legs: 0 };
const fileOf = (protocol: string, rules: object[] = []) => ({
  source: { file: `${protocol}.yaml`, rangeOf: (path: unknown[]) => path.join("/") },
  document: { protocol, rules },
  scope: { contracts: new Map(), idOf: (text: string) => (text.includes("/") ? text : `${protocol}/${text}`) },
});
const own = fileOf("a");

function view(id: string, rule: object = {}, more: object = {}) {
  const plain = { status: "success", yields: false, defers: false, tier: 2, controlRank: 0, rank: 0, action: "swap" };
  const anchor = { kind: "call", call: { hash: "0x1", inputs: { names: [] } }, gate: { kind: "any" } };
  const compiled = { id, ...plain, specificity, anchor, flow: null, legs: [], protocol: id.split("/")[0], ...rule };
  return { rule: compiled, entry: {}, at: ["rules", id], file: own, attempt: null, ...more };
}

describe("what a rule overrides", () => {
  const higher = { specificity: { ...specificity, place: 2 } };
  const told = (text: string, views: object[], overrides = (_a: string, _b: string) => false) => {
    const file = fileOf("a", [{ id: "plain" }, { id: "one", overrides: ["x/none", text] }]);
    const found = [...checkOverrides({ views, wanted: new Set([file]), overrides } as never)];
    return found.slice(1).map(([, ...finding]) => finding);
  };
  const path = ["rules", 1, "overrides", 1];
  const circle = (other: string) => [
    ["RL702", path, `\`a/one\` and \`${other}\` override each other; one direction was expected`],
  ];
  const needless = [["RL704", path, "`a/one` goes before `a/two` anyway; an edge that changes something was expected"]];
  const two = view("a/two");

  it("is a rule", () => {
    const views = [view("a/one"), two, view("b/three")];
    const missing = (text: string, suggest?: string) => [["RL703", path, `\`${text}\` is no rule`, { suggest }]];
    expect(told("tow", views)).toEqual(missing("tow", "two"));
    expect(told("thre", views)).toEqual(missing("thre"));
    expect(told("b/thre", views)).toEqual(missing("b/thre", "b/three"));
    expect(told("two", views)).toEqual([]);
  });

  it("does not override it, nor stand before it by deferring", () => {
    expect(told("one", [view("a/one")])).toEqual(circle("a/one"));
    expect(told("two", [view("a/one"), two], (a, b) => `${a} ${b}` === "a/two a/one")).toEqual(circle("a/two"));
    expect(told("two", [view("a/one"), two], (a, b) => `${a} ${b}` === "a/one a/two")).toEqual([]);
    const deferring = view("a/one", { defers: true });
    expect(told("two", [deferring, two])).toEqual(circle("a/two"));
    expect(told("two", [view("a/one"), deferring, two, view("a/two", { defers: true })])).toEqual(circle("a/two"));
    for (const rival of [{ defers: true }, { action: "claim" }, { tier: 3, yields: true }])
      expect(told("two", [deferring, view("a/two", rival)]).flat()).not.toContain("RL702");
  });

  it("is no rule that it goes before anyway", () => {
    expect(told("two", [view("a/one", higher), two])).toEqual(needless);
    expect(told("two", [view("a/one", higher), two, view("a/two", higher)])).toEqual([]);
    expect(told("two", [view("a/one", higher), view("a/two", { status: "reverted" })])).toEqual([]);
    expect(told("two", [view("a/one", higher), two, view("a/two", { ...higher, status: "reverted" })])).toEqual(
      needless,
    );
    const attempt = { attempt: { attempt: {} } };
    expect(told("two", [view("a/one", higher), view("a/one", {}, attempt), two])).toEqual(needless);
    expect(told("two", [view("a/one", higher, attempt), two])).toEqual(needless);
    expect(told("two", [view("a/one", {}, attempt), two])).toEqual([]);
  });
});

describe("rules of equal standing", () => {
  const told = (...views: object[]) => {
    const wanted = new Set(views.map((one) => (one as { file: object }).file));
    const found = [...checkTies({ byEvidence: new Map([["call", views]]), wanted, overrides: () => false } as never)];
    return found.map(([file, ...finding]): unknown[] => [file.source.file, ...finding]);
  };
  const tried = (more: object = {}) => ({ attempt: { attempt: { call: "f", ...more }, path: ["attempts", 0] } });

  it("are told, each with the other, where they mean different things", () => {
    const message = (one: string, other: string, meaning: string) =>
      `\`${one}\` and \`${other}\` ${meaning} with equal standing; one that goes first was expected`;
    const [one, two] = [view("a/one"), view("b/two", { action: "claim" }, { file: fileOf("b"), ...tried() })];
    expect(told(one, two)).toEqual([
      [
        ...["a.yaml", "RL701", ["rules", "a/one", "id"], message("a/one", "b/two", "can fit the same evidence")],
        { related: [{ file: "b.yaml", range: "rules/b/two/attempts/0", message: "`b/two` is here" }] },
      ],
      [
        ...[
          "b.yaml",
          "RL701",
          ["rules", "b/two", "attempts", 0],
          message("b/two", "a/one", "can fit the same evidence"),
        ],
        { related: [{ file: "a.yaml", range: "rules/a/one/id", message: "`a/one` is here" }] },
      ],
    ]);
    expect(told(one, view("a/two")).map(([, , , text]) => text)).toEqual([
      message("a/one", "a/two", "read the same evidence"),
      message("a/two", "a/one", "read the same evidence"),
    ]);
  });

  it("are told once, and not where one goes first, or they cannot both fit", () => {
    const [one, two] = [view("a/one"), view("a/two", { action: "claim" })];
    expect(told(one, two, { ...two, entry: {} })).toHaveLength(4);
    expect(told(one, two, view("a/two", { action: "claim", rank: 1 }))).toHaveLength(2);
    expect(told(one, { ...two, entry: one.entry })).toEqual([]);
    expect(told(one, view("a/two", { action: "claim", rank: 1 }))).toEqual([]);
    expect(told(one, view("a/two", { action: "claim", status: "reverted" }))).toEqual([]);
  });

  it("may say the same of one thing by attempts that tell nothing", () => {
    const pair = (first: object, second: object, protocol = "a") =>
      told(view("a/one", {}, first), view(`${protocol}/two`, {}, second)).length;
    expect([pair(tried(), tried()), pair(tried(), tried(), "b")]).toEqual([0, 2]);
    expect([pair(tried({ does: "x" }), tried()), pair(tried(), tried({ capture: {} }))]).toEqual([2, 2]);
    expect([pair(tried(), tried({ where: { var: "args.up" } })), pair({ entry: { at: "x" } }, {})]).toEqual([0, 0]);
  });
});

describe("a rule that defers", () => {
  const supply = (body: string, other: string) =>
    codesOf(`${event}${body}`, `${event}${other}`, ["lending_supply", "lending_supply"]);

  it("needs no edge to stand behind another of its action", () => {
    expect(supply(", after: others", ", when: { var: up }, before: [a]")).toEqual(["RL704"]);
    expect(supply(", after: others", ", when: { var: up }")).toEqual([]);
  });

  it("overrides none of those that it defers to", () => {
    expect(supply(", when: { var: up }, after: others, before: [b]", "")).toEqual(["RL702"]);
    expect(supply(", when: { var: up }, after: others, before: [b]", ", after: others")).toEqual([]);
  });
});

describe("overrides", () => {
  it("of rules of other files are known by their full name", () => {
    const files = {
      one: file("one", rule("a", `${event}, when: { var: up }, before: [two/b, two/c]`)),
      two: file("two", rule("b", event, "lending_withdraw")),
    };
    const found = lintTexts(files).filter((one) => /^RL70/.test(one.code));
    expect(found.map((one) => [one.code, one.message, one.suggest])).toEqual([
      ["RL703", "`two/c` is no rule", "two/b"],
    ]);
  });

  it("in a circle of three are told at each edge", () => {
    const rules =
      rule("a", `${event}, before: [b]`) + rule("b", `${event}, before: [c]`) + rule("c", `${event}, before: [a]`);
    const found = lintTexts({ market: file("market", rules) }).filter((one) => one.code === "RL702");
    expect(found).toHaveLength(3);
  });
});
