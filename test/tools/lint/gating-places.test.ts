import { describe, expect, it } from "vitest";
import { tierRank } from "../../../src/rules/ruleset/actions.ts";
import { any, at, call, event, type Given, moved, of, set, told, view } from "./gated-rule.ts";

const tied = { rule: { who: ["args.from"] } };

describe("who an action is done for", () => {
  const believed = [
    [
      "RL610",
      at("acts_for"),
      "`subject: { for }` believes an event that anyone can emit; contracts or members were expected in `at`",
    ],
  ];

  it.each(["args.to", "input.to", "legs.paid.from", "move.from"])("is believed at proven places only: %s", (path) => {
    const entry = { acts_for: path };
    expect([of({ entry }), of({ entry, anchor: event(moved) })]).toEqual([believed, believed]);
    expect(of({ entry, anchor: event({ kind: "proof" }) })).toEqual([]);
    expect(of({ entry, anchor: event(any, { gate: set }) })).toEqual([]);
  });

  it.each(["emitter", "call.to", "tx.from", "my.args.to", undefined])("may be known: %s", (path) => {
    expect(of({ entry: { acts_for: path } })).toEqual([]);
  });
});

describe("the place of an action of a protocol", () => {
  const anywhere = (field: string, action = "stake") => [
    [
      "RL610",
      at(field),
      `\`${action}\` needs a proven place, and this rule fits anywhere; contracts or members were expected`,
    ],
  ];
  const none = { kind: "none" };

  it("is proven", () => {
    expect(of({ ...tied, action: "stake", entry: { at: "any" } })).toEqual(anywhere("at"));
    expect(of({ ...tied, action: "stake" })).toEqual(anywhere("action"));
    expect(of({ ...tied, action: "stake", anchor: none })).toEqual(anywhere("action"));
    expect([of({ action: "wrap", entry: { at: "any" } }), of({ action: "nothing" })]).toEqual([[], []]);
    expect(of({ ...tied, action: "stake", anchor: event(set) })).toEqual([]);
  });

  it("is none where money flow alone shows a swap, or a standard", () => {
    expect([of({ action: "swap", anchor: none }), of({ kind: "standard", action: "stake", anchor: none })]).toEqual([
      [],
      [],
    ]);
    expect(of({ ...tied, action: "swap" })).toEqual(anywhere("action", "swap"));
    expect(of({ ...tied, kind: "standard", action: "stake" })).toEqual(anywhere("action"));
  });

  it("is none of a deposit that the chain made", () => {
    const deposit = (...parts: unknown[]) => ({
      entry: { where: { "==": parts } },
      action: "stake",
      anchor: call(any),
    });
    const type = { var: "tx.type" };
    expect([of(deposit(type, "deposit")), of(deposit("deposit", type))]).toEqual([[], []]);
    expect(of(deposit(type, "legacy"))).toEqual(anywhere("action"));
    expect(of({ ...deposit(type, "deposit"), ...tied, anchor: event(any) })).toEqual(anywhere("action"));
  });

  it("proves nothing where any token moved", () => {
    const leg = (legs: object | undefined, kind: "protocol" | "standard" = "standard", gate: object = moved) =>
      of({ kind, action: "stake", ...tied, anchor: event(gate), entry: { legs } }).map(([, path, message]) => [
        path,
        message,
      ]);
    const standard = "`moved` proves nothing by itself; a leg with `token: emitter` that must be there was expected";
    const protocol = "`moved` admits any token; contracts or members were expected in the file of a protocol";
    for (const token of ["emitter", "call.to"]) expect(leg({ x: {}, s: { token } })).toEqual([]);
    for (const legs of [
      { s: { token: "emitter", optional: true } },
      { s: { token: "my.emitter" } },
      { s: {} },
      undefined,
    ])
      expect(leg(legs)).toEqual([[at("at"), standard]]);
    expect(leg({ s: { token: "emitter" } }, "protocol")).toEqual([[at("at"), protocol]]);
    expect(leg({}, "protocol", { kind: "either", gates: [set, moved] })).toEqual([[at("at"), protocol]]);
    expect(leg({}, "protocol", { kind: "either", gates: [set, set] })).toEqual([]);
    expect(of({ action: "stake", ...tied, anchor: event(moved, { gate: set }) })).toEqual([]);
  });
});

describe("the name of a protocol", () => {
  const naming = (kind: "protocol" | "standard", gate: object, does = "do it on {protocol}") =>
    of({ kind, anchor: event(gate), entry: { does } });
  const wrong = (who: string, offset: number) => [
    ...["RL610", at("does"), `${who} cannot name a protocol`],
    { inside: { offset, length: 8 } },
  ];

  it("is not that of a standard, or of what fits anywhere", () => {
    expect(naming("standard", set)).toEqual([wrong("a standard", 10)]);
    expect(naming("protocol", any)).toEqual([wrong("a rule that fits anywhere", 10)]);
    expect(naming("standard", any, "go {protocol} {x} {protocol}")).toEqual([
      wrong("a standard", 4),
      wrong("a standard", 19),
    ]);
    expect([naming("protocol", set), naming("protocol", moved), naming("standard", any, "do {x}")]).toEqual([
      [],
      [],
      [],
    ]);
  });
});

describe("an attempt", () => {
  const problem = (what: string, ...path: unknown[]) => [
    ["RL610", at("attempts", 1, ...path), `${what}; contracts were expected in \`at\``],
  ];
  const [anywhere, named] = [
    "`any` call anywhere is no attempt at anything",
    "the attempt fits anywhere, and its sentence names the protocol",
  ];
  const tried = (anchor: object, more: Given = {}) => of({ anchor, attempt: { call: "f" }, ...more });

  it("has a place, unless a standard tells it of one call", () => {
    expect(tried(call(any))).toEqual(problem(named));
    expect(tried(call(any), { attempt: { at: "any" } })).toEqual(problem(named, "at"));
    expect([tried(call(set)), tried(call(moved))]).toEqual([[], []]);
    expect(tried(call(any), { kind: "standard" })).toEqual([]);
    expect(tried(call(any), { kind: "standard", action: "stake" })).toEqual(problem(named));
    const nameless = { ...call(any), call: null };
    expect([tried(nameless), tried(nameless, { kind: "standard" })]).toEqual([problem(anywhere), problem(anywhere)]);
    expect(tried({ ...nameless, gate: set })).toEqual([]);
    expect(tried(event(set))).toEqual(problem(anywhere));
  });

  it("may be shown by the envelope, in a standard", () => {
    const none = { kind: "none" };
    const fallback = { rule: { tier: tierRank("fallback") } };
    expect(tried(none, { kind: "standard", attempt: { where: {} } })).toEqual([]);
    expect(tried(none, { kind: "standard", ...fallback })).toEqual([]);
    expect(tried(none, { kind: "standard" })).toEqual(problem(anywhere));
    expect([tried(none, { attempt: { where: {} } }), tried(none, fallback)]).toEqual([
      problem(anywhere),
      problem(anywhere),
    ]);
  });
});

describe("what ties an event to the subject", () => {
  const message =
    "nothing ties `Moved` to the subject; `subject`, a leg, a counted `gives` or `gets`, or `within` was expected";
  const tie = (rule: object, entry: object = {}, anchor: object = event(set)) =>
    of({ action: "stake", anchor, rule: { who: [], ...rule }, entry: { event: "Moved", ...entry } });
  const loose = [["RL611", at("event"), message]];

  it.each<[string, object, object?, object?]>([
    ["a call beside it", {}, {}, event(set, { gate: any })],
    ["whom it is for", { actsFor: "args.to" }],
    ["who", { who: ["args.from"] }],
    ["what is given", { flow: { gives: { min: 1 }, gets: null } }],
    ["what is got", { flow: { gives: { min: 0 }, gets: { min: 1 } } }],
    ["a leg from the subject", {}, { legs: { a: { from: "args.x" }, b: { from: "subject" } } }],
    ["a leg to the subject", {}, { legs: { a: { to: "subject" } } }],
    ...["subject", "flow.gives", "tx.from", "tx.to", "call.to", "target"].map((path): [string, object, object] => [
      path,
      {},
      { where: [{ "==": [{ var: path }, "x"] }] },
    ]),
    ["a call instead of an event", {}, {}, call(set)],
  ])("is %s", (_what, rule, entry, anchor) => {
    expect(tie(rule, entry, anchor)).toEqual([]);
  });

  it.each<[string, object, object?]>([
    ["nothing", {}],
    ["open flow", { flow: { gives: { min: 0 }, gets: { min: 0 } } }],
    ["half of a flow", { flow: { gives: null, gets: null } }],
    ["another's leg", {}, { legs: { a: { from: "args.from", to: "args.to" } } }],
    ["a leg that may be missing", {}, { legs: { a: { from: "subject", optional: true } } }],
    ["that it is somebody else", {}, { where: { "!": { "==": [{ var: "args.to" }, { var: "subject" }] } } }],
    ["one condition of two", {}, { where: { or: [{ var: "emitter.asked" }, { var: "args.ok" }] } }],
    ...["args.subject", "tx.type", "tx.fromage", "emitter"].map((path): [string, object, object] => [
      path,
      {},
      { where: { "==": [{ var: path }, "x"] } },
    ]),
  ])("is not %s", (_what, rule, entry) => {
    expect(tie(rule, entry)).toEqual(loose);
  });

  it("is asked of changes of control, and of every action", () => {
    const given = { anchor: event(set), entry: { event: "Moved" } };
    expect(of({ ...given, rule: { control: "owner", who: [] } })).toEqual(loose);
    for (const action of ["stake", "wrap", "govern"])
      expect(of({ ...given, action, rule: { who: [] } })).toEqual(loose);
  });
});

describe("rules of several forms", () => {
  it("are told each by itself, attempts too", () => {
    const one = view({ kind: "standard", entry: { does: "{protocol}" } });
    const attempt = view({ anchor: event(set), attempt: {} });
    expect(told(one, attempt, { ...attempt }).map(([, path]) => path)).toEqual([
      at("does"),
      at("attempts", 1),
      at("attempts", 1),
    ]);
  });
});
