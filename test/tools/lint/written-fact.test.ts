import { describe, expect, it } from "vitest";
import { parseSignature } from "../../../src/rules/abi/signature-parser.ts";
import { checkLiterals, checkSite, checkStatedHashes } from "../../../src/tools/lint/checks/written-fact.ts";

type Check = typeof checkSite;

/** What a check tells of a file. */
function told(check: Check, file: object): unknown[][] {
  return [...check(file as never)];
}

describe("the page of a protocol", () => {
  const site = (document: object) => told(checkSite, { document: { kind: "protocol", rules: [{}], ...document } });

  it("is expected where a protocol has rules", () => {
    const message = "the file has no `site`; the protocol's page was expected";
    expect(site({})).toEqual([["RL206", ["protocol"], message, { key: true }]]);
    expect([site({ rules: [] }), site({ rules: undefined })]).toEqual([[], []]);
    expect([site({ kind: "standard" }), site({ site: "https://example.org" })]).toEqual([[], []]);
  });
});

describe("addresses in rules and examples", () => {
  const right = "0x420DD381b31aEf6683db6B902084cB0FFECe40Da";
  const wrong = right.replace("DD", "dd");
  const wrongAt = (...path: unknown[]) => [
    ...["RL205", path, `\`${wrong}\` has a wrong EIP-55 checksum`],
    { suggest: right },
  ];

  it("have right capitals or none, wherever they stand", () => {
    const rules = [{ at: [right, wrong] }, { where: { "==": [{ var: "x" }, wrong] } }];
    const examples = [{ given: { to: wrong } }, null];
    expect(told(checkLiterals, { document: { rules, examples, contracts: { pool: wrong } } })).toEqual([
      wrongAt("rules", 0, "at", 1),
      wrongAt("rules", 1, "where", "==", 1),
      wrongAt("examples", 0, "given", "to"),
    ]);
  });

  it.each([right.toLowerCase(), right, `${wrong}0`, `${wrong} `, "Text", 7, null, undefined])(
    "are fine, or none: %j",
    (one) => {
      expect(told(checkLiterals, { document: { rules: [one], examples: one } })).toEqual([]);
    },
  );
});

describe("a selector or topic in a comment", () => {
  const [moved, move] = ["event Moved(uint256 id)", "function move(uint256 amount)"].map((text) =>
    parseSignature(text),
  );
  const items = new Map(Object.entries({ Moved: moved, move }));
  const wrong = { topic: `0x${"0A".repeat(32)}`, selector: "0x1234abcd" };
  /** The items stand in lines of their own, after a first line. */
  const stated = (lines: string[], abi: object = { Moved: "", move: "" }) => {
    const source = {
      text: ["abi:", ...lines].join("\n"),
      rangeOf: ([, name]: string[]) => ({ start: { line: name === "Moved" ? 2 : 3, column: 1 } }),
    };
    return told(checkStatedHashes, { source, scope: { abi: items }, written: { abi } });
  };
  const mistake = (name: "Moved" | "move", text: string, line: number, column: number) => {
    const hash = items.get(name)?.hash;
    const range = { start: { line, column }, end: { line, column: column + text.length } };
    return [
      ...["RL307", ["abi", name], `the comment states \`${text}\`; the signature has \`${hash}\``],
      { range, suggest: hash },
    ];
  };

  it("is told where it stands when it is not the signature's", () => {
    expect(stated([`Moved: "x" # ${wrong.topic}, no`, `move: "y" #  ${wrong.selector}`])).toEqual([
      mistake("Moved", wrong.topic.toLowerCase(), 2, 14),
      mistake("move", wrong.selector, 3, 14),
    ]);
  });

  it.each<[string, string]>([
    ["right", `move: "y" # ${move?.hash}`],
    ["right in capitals", `move: "y" # ${move?.hash.toUpperCase().replace("X", "x")}`],
    ["of another length", `move: "y" # ${wrong.selector}0`],
    ["no comment", `move: "y${wrong.selector}"`],
    ["later in the comment", `move: "y" # was ${wrong.selector}`],
    ["none", 'move: "y" # moves'],
  ])("is not told: %s", (_what, line) => {
    expect(stated(['Moved: "x"', line])).toEqual([]);
  });

  it("is another file's where the signature is taken over", () => {
    const lines = ['Moved: "x"', `move: "y" # ${wrong.selector}`];
    expect(stated(lines)).toEqual([mistake("move", wrong.selector, 3, 13)]);
    expect(stated(lines, { Moved: "" })).toEqual([]);
    const source = { text: "", rangeOf: () => ({ start: { line: 9, column: 1 } }) };
    expect(told(checkStatedHashes, { source, scope: { abi: items }, written: { abi: { move: "" } } })).toEqual([]);
    expect(told(checkStatedHashes, { source, scope: { abi: items } })).toEqual([]);
  });
});
