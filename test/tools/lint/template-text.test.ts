import { describe, expect, it } from "vitest";
import { limits } from "../../../src/kernel/limits.ts";
import { tierRank } from "../../../src/rules/ruleset/actions.ts";
import { facets } from "../../../src/rules/ruleset/compile/template.ts";
import { checkTemplates } from "../../../src/tools/lint/checks/template-text.ts";

const verbs = new Map([
  ["give", "gave"],
  ["send", "sent"],
]);
const capture = { amount: { amount: "args.amount" }, side: { enum: "args.side", values: { 0: "sell", 1: "bought" } } };

/** The findings about the sentences of a rule, each with the marked text. */
function told(entry: object, rules: object[] = []): unknown[][] {
  const found: unknown[][] = [];
  type Options = { inside?: { offset: number; length: number }; suggest?: string };
  const report = (code: string, path: unknown[], message: string, { inside, suggest }: Options = {}) => {
    const text = String(
      path.reduce((node, key) => (node as Record<string, unknown>)?.[key as string], { rules: [one] }),
    );
    const marked = inside === undefined ? null : text.slice(inside.offset, inside.offset + inside.length);
    found.push([code, path.slice(2).join("."), message, marked, ...(suggest === undefined ? [] : [suggest])]);
  };
  const one = { id: "one", capture, ...entry };
  const placed = { entry: one, id: `a/${one.id}`, at: ["rules", 0] };
  for (const finding of checkTemplates(placed as never, { document: {}, rules } as never, verbs))
    report(...(finding as Parameters<typeof report>));
  return found;
}

const said = (does: string) => told({ does }).map(([code, , message, ...rest]) => [code, message, ...rest]);
const views = facets.join(", ");

describe("placeholders", () => {
  it.each<[string, unknown[][]]>([
    ["give {amount} to {others}", []],
    ["give {amuont}", [["RL501", "`{amuont}` names no value", "amuont", "amount"]]],
    ["give {xyzzy.full}", [["RL501", "`{xyzzy.full}` names no value", "xyzzy"]]],
    ["give {}", [["RL501", "`{}` names no value", ""]]],
    ["give {amount.ful}", [["RL501", `\`ful\` is no view of a value: one of ${views} was expected`, "ful", "full"]]],
    ["give {amount.xyzzy}", [["RL501", `\`xyzzy\` is no view of a value: one of ${views} was expected`, "xyzzy"]]],
    ["give {amount.}", [["RL501", `\`\` is no view of a value: one of ${views} was expected`, ""]]],
    [
      "give {amount.full.full}",
      [["RL501", `\`full.full\` is no view of a value: one of ${views} was expected`, "full.full", "full"]],
    ],
    ["give {amount.full}", []],
    [
      "give } or {amount",
      [
        ["RL501", "a lone `}` stands here; `{name}` was expected", "}"],
        ["RL501", "a lone `{` stands here; `{name}` was expected", "{"],
      ],
    ],
  ])("%s", (does, expected) => {
    expect(said(does)).toEqual(expected);
  });

  it("may be captures of the act or of any attempt in the sentence that both share", () => {
    const x = { x: { boolean: "args.x" } };
    const missing = (place: string) => [["RL501", place, "`{x}` names no value", "x"]];
    expect(told({ does: "give {x}", attempts: ["f", { call: "g", capture: x }] })).toEqual([]);
    expect(told({ does: "give {x}", attempts: [{ call: "g", does: "give {amount}" }] })).toEqual(missing("does"));
    const attempts = [
      { call: "f", capture: x },
      { call: "g", does: "give {x} {amount}" },
    ];
    expect(told({ does: "give it", attempts })).toEqual(missing("attempts.1.does"));
    expect(told({ attempts: [{ call: "g", capture: x, does: "give {x}" }] })).toEqual([]);
  });

  it("have `{call}` where a call is carried", () => {
    const missing = (place: string) => [[place, "call"]];
    const places = (entry: object) => told(entry).map(([, path, , marked]) => [path, marked]);
    expect(places({ does: "give {call} to {others}", carries: "x" })).toEqual([]);
    expect(places({ does: "give {call}" })).toEqual(missing("does"));
    const attempts = [
      { call: "f", does: "give {call}", carries: "x" },
      { call: "g", does: "give {call}" },
    ];
    expect(places({ does: "give it", attempts })).toEqual(missing("attempts.1.does"));
    expect(places({ does: "give it", carries: "x", attempts: ["f", attempts[1]] })).toEqual(missing("attempts.1.does"));
    expect(places({ does: "give {call}", attempts: "f" })).toEqual(missing("does"));
  });
});

describe("clauses", () => {
  const lone = (sign: string) => ["RL501", `a lone \`${sign}\` stands here; \`[words {name}]\` was expected`, sign];
  const always = "the clause prints no value, so it is never left out; plain words were expected";

  it.each<[string, unknown[][]]>([
    ["give[ {amount}| it]", []],
    ["give[ {amount}][ {amount}]", []],
    ["give[ it| that]", [["RL501", always, "[ it| that]"]]],
    ["give[ {amount}][ it]", [["RL501", always, "[ it]"]]],
    ["give [{amount}", [lone("[")]],
    ["give {amount}]", [lone("]")]],
    ["give|[ {amount}]|", [lone("|"), lone("|")]],
    ["give [[ {amount}]", [lone("[")]],
  ])("%s", (does, expected) => {
    expect(said(does)).toEqual(expected);
  });
});

describe("characters", () => {
  const unfit = (shown: string, found: string) => [
    "RL503",
    `${shown} stands in a sentence; plain text was expected`,
    found,
  ];
  const stop = (sign: string) => [
    ...["RL503", "the sentence ends with a full stop, which is added to it; none was expected", sign],
  ];

  it.each<[string, unknown[][]]>([
    ["give it, (half) of 5.5% & <send> it", []],
    ["give `it`", [unfit("`backtick`", "`"), unfit("`backtick`", "`")]],
    ["give *it_ ~ \\", ["*", "_", "~", "\\"].map((sign) => unfit(`\`${sign}\``, sign))],
    ["give\tit\u200b", [unfit("U+0009", "\t"), unfit("U+200B", "\u200b")]],
    ["give\u2028it\u{e0001}", [unfit("U+2028", "\u2028"), unfit("U+E0001", "\u{e0001}")]],
    ["give < it >", [unfit("`<`", "<"), unfit("`>`", ">")]],
    ["give it.", [stop(".")]],
    ["give it? ", [stop("?")]],
    ["give it! It", []],
  ])("%j", (does, expected) => {
    expect(said(does)).toEqual(expected);
  });

  it("are so many at most", () => {
    const most = limits.templateCharsMax;
    const text = (length: number) => `give ${"x".repeat(length - 5)}`;
    const message = `the template has ${most + 1} characters; at most ${most} were expected`;
    expect([said(text(most)), said(text(most + 1))]).toEqual([[], [["RL503", message, null]]]);
  });
});

describe("the first word", () => {
  const subject = "the sentence starts with `{subject}`, which is put in front of it; a verb was expected";
  const verb = "the sentence does not start with a verb in base form";

  it.each<[string, unknown[][]]>([
    ["{subject} give it", [["RL504", subject, "{subject}"]]],
    ["{subject.full} give it", [["RL504", subject, "{subject.full}"]]],
    ["give it to {subject}", []],
    [
      "“give it”",
      [["RL503", "the sentence stands in typographic quotes, which are part of it; straight ones were expected", "“"]],
    ],
    ["{amount} is given", [["RL505", verb, "{amount}"]]],
    ["Give", [["RL505", verb, "G"]]],
    [" give it", [["RL505", verb, " "]]],
  ])("%s", (does, expected) => {
    expect(said(does)).toEqual(expected);
  });
});

describe("verbs", () => {
  const unsure = (word: string, marked = word, base?: string) => [
    "RL505",
    `\`${word}\` is no verb in base form, or its past tense is not certain: rules/verbs.yaml was expected to have it`,
    ...[marked, ...(base === undefined ? [] : [base])],
  ];

  it.each<[string, unknown[][]]>([
    ["swap it and <send> it", []],
    ["gave it", [unsure("gave", "gave", "give")]],
    ["give it and <visit> it", [unsure("visit")]],
    ["<{side}> it", [unsure("bought", "side")]],
    ["<{amount}> it", [["RL505", "only an `enum` of verbs in base form can stand here", "amount"]]],
  ])("%s", (does, expected) => {
    expect(said(does)).toEqual(expected);
  });

  it.each([
    ...["gave give", "supplied supply", "voted vote", "moved move", "claimed claim", "swapped swap", "added add"],
    ...["filled fill", "passed pass", "bridged bridge", "merged merge", "exchanged exchange", "settled settle"],
    ...["released release", "licensed license", "reduced reduce", "issued issue", "created create", "acquired acquire"],
    ...["repeated repeat", "belonged belong", "agreed agree", "listed list", "initiated initiate"],
  ])("in the past have a base form: %s", (pair) => {
    const [past, base] = pair.split(" ") as [string, string];
    expect(said(`${past} it`)).toEqual([unsure(past, past, base)]);
  });

  it("of a capture are its values and its default; not those of a list", () => {
    const side = (one: unknown) =>
      told({ does: "<{side}> it", capture: { side: one } }).map(([, , message]) => message);
    const none = ["only an `enum` of verbs in base form can stand here"];
    expect(side({ enum: "x", values: { 0: "sell" }, default: "send" })).toEqual([]);
    expect(side({ enum: "x", values: { 0: "sell" }, default: "sent" })).toHaveLength(1);
    expect(side({ enum: "x", values: { 0: "bought" }, default: "sent" })).toHaveLength(2);
    expect([side([{ enum: "x", values: { 0: "sell" } }]), side({ enum: "x", default: 7 })]).toEqual([none, none]);
  });
});

describe("who did it", () => {
  const path = "by";
  const message = "an account did this; only the chain itself has no address";
  const by = (more: object, tier: "protocol" | "system" = "protocol") =>
    told({ does: "give it", by: "the chain", ...more }, [
      { id: "a/two", tier: tierRank("system") },
      { id: "a/one", tier: tierRank(tier) },
    ]);

  it("is the chain for actions of the system, and nobody where nobody signed", () => {
    const wrong = [["RL504", path, message, null]];
    expect([by({}), by({}, "system"), by({ by: undefined })]).toEqual([wrong, [], []]);
    expect(by({ authorization: {} })).toEqual([]);
    expect(by({ authorization: {}, acts_for: "args.from" })).toEqual(wrong);
    expect(by({ acts_for: "args.from" })).toEqual(wrong);
  });
});
