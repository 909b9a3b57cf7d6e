import { describe, expect, it } from "vitest";
import { checkSchemes, schemesOf } from "../../../src/tools/lint/checks/chain-scheme.ts";
import { checkNames, checkTopics, labelledNames } from "../../../src/tools/lint/checks/set/contradicting-fact.ts";
import { checkIds, checkLabels, checkUnwrappers } from "../../../src/tools/lint/checks/set/defined-twice.ts";
import type { SetFinding } from "../../../src/tools/lint/checks/set/rule-set.ts";
import { entriesOf, type LintFinding, type UsableFile } from "../../../src/tools/lint/rule-view.ts";

const [one, two] = [
  "0xA238Dd80C259a72e81d7e4664a9801593F98d1c5",
  "0x420DD381b31aEf6683db6B902084cB0FFECe40Da",
] as const;
const fileOf = (name: string, document: object = {}, more: object = {}) => ({
  source: { file: name, rangeOf: (path: unknown[]) => path.join("/") },
  document: { protocol: name, ...document },
  scope: { contracts: new Map() },
  unwrappers: [],
  ...more,
});
type File = ReturnType<typeof fileOf>;

/** What a check of a set tells, by file. */
function told(check: (set: never) => Iterable<SetFinding>, files: readonly File[], more: object = {}): unknown[][] {
  const found = [...check({ files, wanted: new Set(files), ...more } as never)];
  return found.map(([file, ...finding]) => [file.source.file, ...finding]);
}

/** The same of a check that looks at each file by itself. */
function toldEach(check: (file: UsableFile) => Iterable<LintFinding>, files: readonly File[]): unknown[][] {
  return files.flatMap((file) => [...check(file as never)].map((finding) => [file.source.file, ...finding]));
}

const related = (file: string, range: string, message: string) => ({ related: [{ file, range, message }] });

describe("schemes of chains", () => {
  const rules = [
    { capture: { a: { chain: "args.x", scheme: "lz_eids" }, b: [{ scheme: "x" }], c: { chain: "args.x" } } },
    {
      capture: { d: { scheme: 7 } },
      attempts: ["f", { call: "g", capture: { e: { chain: "args.y", scheme: "cctp" } } }],
    },
  ];
  const check = (...schemes: string[]) =>
    toldEach(
      (file) => entriesOf(file).flatMap((one) => [...checkSchemes(one, new Set(schemes))]),
      [fileOf("a"), fileOf("b", { rules })],
    );

  it("are those of label files", () => {
    const wrong = (path: string, scheme: string, suggest?: string) => [
      ...["b", "RL314", path.split("/").map((part) => (/^\d$/.test(part) ? Number(part) : part))],
      ...[`\`${scheme}\` is no chain scheme`, { suggest }],
    ];
    const second = wrong("rules/1/attempts/1/capture/e/scheme", "cctp");
    expect(check("lz_eid")).toEqual([wrong("rules/0/capture/a/scheme", "lz_eids", "lz_eid"), second]);
    expect(check("lz_eids")).toEqual([second]);
    expect([check("lz_eids", "cctp"), check()]).toEqual([[], []]);
  });

  it("are listed by files of chains", () => {
    const label = (text: string) => ({ path: "labels/x.yaml", text });
    const files = [
      "# Chains.\nschema: chains/v1\nschemes: { a: {}, b: {} }\n",
      "schema: names/v1\nschemes: { c: {} }\n",
    ];
    const more = [
      "schema: chains/v1\nschemes: { d: {} }\n",
      "schema: chains/v1\n",
      "x: 'schema: chains/'\nschemes: { e: {} }\n",
    ];
    expect([...schemesOf([...files, ...more].map(label))]).toEqual(["a", "b", "d"]);
    expect([...schemesOf([])]).toEqual([]);
  });
});

describe("names of labels", () => {
  const contracts = {
    pool: [
      { address: two, label: "Two" },
      { address: one, label: "One" },
    ],
    x: [{ address: one, label: "Uno" }],
  };

  it("are those of the rules", () => {
    const names = (...pairs: [string, string][]) =>
      toldEach((file) => checkNames(file, new Map(pairs)), [fileOf("a"), fileOf("b", { contracts })]);
    const wrong = (role: string, i: number, label: string, named: string) => [
      ...["b", "RL708", ["contracts", role, i, "label"]],
      ...[`\`${one}\` is \`${label}\` here and \`${named}\` in the labels; one name was expected`, { suggest: named }],
    ];
    expect(names([one.toLowerCase(), "Uno"])).toEqual([wrong("pool", 1, "One", "Uno")]);
    expect(names([one.toLowerCase(), "Eins"])).toEqual([wrong("pool", 1, "One", "Eins"), wrong("x", 0, "Uno", "Eins")]);
    expect([names(), names(["", "Nothing"])]).toEqual([[], []]);
  });

  it("stand in files of names", () => {
    const label = (text: string) => ({ path: "labels/x.yaml", text });
    const named = (label: string, address = one as string) => `names: [{ address: "${address}", label: ${label} }]`;
    const files = [
      `schema: names/v1\n${named("One")}\n`,
      `schema: tokens/v1\n${named("Token")}\n`,
      "schema: names/v1\n",
    ];
    expect([...labelledNames([...files, `# a\nschema: names/v1\n${named("Two", two)}\n`].map(label))]).toEqual([
      [one.toLowerCase(), "One"],
      [two.toLowerCase(), "Two"],
    ]);
  });
});

describe("topics of one event of one contract", () => {
  const asked = fileOf("b");
  const event = (topics: number, addresses: string[], { file = asked, rule = {}, entry = {}, at = 0 } = {}) => {
    const anchor = {
      kind: "event",
      event: { hash: "0x1", topics, signature: "Moved()" },
      gate: { kind: "set", addresses },
      ...rule,
    };
    return { rule: { anchor }, file, entry: { event: "Moved", ...entry }, at: ["rules", at] };
  };
  const check = (...views: object[]) => told(checkTopics, [asked], { views });
  const message = (address: string, here: number, there: number) =>
    `Moved() of ${address} has ${here} topics here and ${there} elsewhere; one number was expected`;

  it("have one number: each event is told once, with the first", () => {
    const other = fileOf("a");
    expect(
      check(event(2, ["x", "y"], { file: other }), event(3, ["y", "x"], { at: 1 }), event(1, ["z", "x"], { at: 2 })),
    ).toEqual([
      [
        "b",
        "RL709",
        ["rules", 1, "event"],
        message("y", 3, 2),
        related("a", "rules/0/event", "2 topics are expected here"),
      ],
      [
        "b",
        "RL709",
        ["rules", 2, "event"],
        message("x", 1, 2),
        related("a", "rules/0/event", "2 topics are expected here"),
      ],
    ]);
    expect(check(event(2, ["x"]), event(3, ["x"], { file: other }))).toEqual([]);
  });

  it.each<[string, object]>([
    ["equal", event(2, ["x"])],
    ["another contract's", event(3, ["y"])],
    ["another event's", event(3, ["x"], { rule: { event: { hash: "0x2", topics: 3, signature: "Other()" } } })],
    ["a call's", event(3, ["x"], { rule: { kind: "call" } })],
    ["those of a gate without contracts", event(3, ["x"], { rule: { gate: { kind: "any", addresses: ["x"] } } })],
    ["those of a rule that names no event", event(3, ["x"], { entry: { event: undefined } })],
  ])("may be %s", (_what, view) => {
    expect(check(event(2, ["x"]), view)).toEqual([]);
    expect(check(view, event(2, ["x"]))).toEqual([]);
  });
});

describe("what is defined twice", () => {
  it("is an id of a rule, or of an unwrapper, of one protocol", () => {
    const [x, y] = [{ id: "x" }, { id: "y" }];
    const first = fileOf("a", { rules: [x, y], unwrap: [x] });
    const same = { ...fileOf("a2", { protocol: "a", rules: [y, x], unwrap: [y, x] }) };
    const twice = (file: string, list: string, i: number, id: string, where: string) => [
      ...[file, "RL208", [list, i, "id"], `\`a/${id}\` is defined twice; an id of its own was expected`],
      related("a", where, "The first one"),
    ];
    expect(told(checkIds, [first, same, fileOf("b", { rules: [x] }), fileOf("c")])).toEqual([
      twice("a2", "rules", 0, "y", "rules/1/id"),
      twice("a2", "rules", 1, "x", "rules/0/id"),
      twice("a2", "unwrap", 1, "x", "unwrap/0/id"),
    ]);
  });

  it("is an address with two labels", () => {
    const entry = (label: string, address: string = one) => ({ address, label });
    const first = fileOf("a", { contracts: { pool: [entry("Two", two), entry("One")] } });
    const second = fileOf("b", {
      contracts: { x: [entry("One"), entry("no address", "0x1")], y: [entry("Uno", one.toLowerCase())] },
    });
    const message = `\`${one.toLowerCase()}\` is labelled \`Uno\` here and \`One\` elsewhere; one label was expected`;
    expect(told(checkLabels, [first, second, fileOf("c", { contracts: { z: [entry("other", "0x1")] } })])).toEqual([
      ["b", "RL707", ["contracts", "y", 0, "label"], message, related("a", "contracts/pool/1/label", "`One` is here")],
    ]);
    expect(told(checkLabels, [fileOf("a")])).toEqual([]);
  });
});

describe("unwrappers", () => {
  const opens = (protocol: string, id: string, more: object = {}) => ({
    ...{ id: `${protocol}/${id}`, call: { hash: "0x1" }, gate: { kind: "any" }, ...more },
  });
  const pair = (more: object, when: unknown = undefined) => [
    fileOf(
      "a",
      { unwrap: [{ id: "x" }, { id: "y", when: { "==": [{ var: "args.m" }, "1"] } }] },
      { unwrappers: [opens("a", "y")] },
    ),
    fileOf("b", { unwrap: [{ id: "z", when }] }, { unwrappers: [opens("b", "z", more)] }),
  ];
  const open = (one: string, other: string) =>
    `\`${one}\` and \`${other}\` open the same call at the same place; one was expected`;

  it("of one call at one place are told, each with the other", () => {
    const [first, second] = [
      ["a", "RL706", ["unwrap", 1, "id"], open("a/y", "b/z"), related("b", "unwrap/0/id", "`b/z` is here")],
      ["b", "RL706", ["unwrap", 0, "id"], open("b/z", "a/y"), related("a", "unwrap/1/id", "`a/y` is here")],
    ];
    const files = pair({});
    expect(told(checkUnwrappers, files)).toEqual([first, second]);
    expect(told(checkUnwrappers, files, { wanted: new Set(files.slice(1)) })).toEqual([second]);
  });

  it.each<[string, object, unknown]>([
    ["another call", { call: { hash: "0x2" } }, undefined],
    ["another condition", {}, { "==": [{ var: "args.m" }, "2"] }],
  ])("are told apart by %s", (_what, more, when) => {
    expect(told(checkUnwrappers, pair(more, when))).toEqual([]);
  });

  it("are told apart by their places", () => {
    const at = (address: string) => ({ gate: { kind: "set", addresses: new Set([address]) } });
    const files = [fileOf("a", {}, { unwrappers: [opens("a", "x", at("0x1")), opens("a", "y", at("0x2"))] })];
    expect(told(checkUnwrappers, files)).toEqual([]);
  });
});
