import { describe, expect, it } from "vitest";
import { compileTexts, placeOf } from "./rule-text.ts";

const original = `protocol: original
name: Original
kind: protocol
source: example book
contracts:
  pool: { Original pool: "0xA238Dd80C259a72e81d7e4664a9801593F98d1c5" }
  vault: { Original vault: "0x6Cb442acF35158D5eDa88fe602221b67B400Be3E" }
members:
  made: { registry: { contract: vault, read: isPool } }
abi:
  isPool: "function isPool(address pool) view returns (bool)"
  lock: "function lock(uint256 amount)"
  open: "function open(uint256 amount)"
rules:
  - id: lock
    action: stake
    anchor: { call: lock }
    at: [pool, vault]
    money: { gives: some erc20, gets: any }
    say: "stake {gives} on {protocol}"
    example: { to: pool, call: { lock: { amount: "1" } }, says: "Alice staked on {protocol}" }
  - id: open
    action: unstake
    anchor: { call: open }
    at: vault
    money: { gives: any, gets: some erc20 }
    say: "take {gets} out of {protocol}"
  - id: proven
    action: claim
    anchor: { call: open }
    at: made
    money: { gives: nothing, gets: some erc20 }
    say: "claim {gets} from {protocol}"
examples:
  - { name: a lock that reverted, given: { to: pool, status: reverted, call: { lock: { amount: "1" } } }, rule: lock, summary: of the original }
`;
const copy = (rest: string, without = "without: [vault, made]\n") => `protocol: copy
name: Copy
kind: protocol
like: original
${without}source: example book
contracts:
  pool: { Pool of the copy: "0x420DD381b31aEf6683db6B902084cB0FFECe40Da" }
${rest}`;

const load = (text: string, files: Record<string, string> = { original }) => {
  const loaded = compileTexts({ ...files, copy: text });
  const file = loaded.files.find(({ source }) => source.file === "rules/copy.yaml");
  return { ...loaded, file, document: file?.document };
};
const told = (text: string, files?: Record<string, string>) =>
  load(text, files).diagnostics.map((one) => `${placeOf(one)}: ${one.message}`);

describe("a file that is like another", () => {
  it("has its rules under ids of its own, at its own contracts", () => {
    const { diagnostics, ruleset } = load(copy(""));
    expect(diagnostics).toEqual([]);
    const [rule] = ruleset.rules.filter(({ id }) => id === "copy/lock");
    expect(rule?.protocol).toBe("Copy");
    expect(rule?.anchor).toMatchObject({
      gate: { kind: "set", addresses: new Set(["0x420dd381b31aef6683db6b902084cb0ffece40da"]) },
    });
  });

  it("leaves out roles, what stands only there, and rules", () => {
    const { document } = load(copy(""));
    expect(document?.rules?.map(({ id, at }) => [id, at])).toEqual([["lock", ["pool"]]]);
    expect(document?.members).toEqual({});
    expect(load(copy("", "without: [vault, made, lock]\n")).document?.rules).toEqual([]);
  });

  it("amends a rule by its id, replaces one that has an action, and adds others", () => {
    const { document, diagnostics } = load(
      copy(`rules:
  - id: lock
    say: "lock {gives} on {protocol}"
  - id: late
    action: claim
    anchor: { call: open }
    at: pool
    say: "be late"
`),
    );
    expect(diagnostics).toEqual([]);
    expect(document?.rules?.map(({ id, action, does }) => [id, action, does])).toEqual([
      ["lock", "stake", "lock {gives} on {protocol}"],
      ["late", "claim", "be late"],
    ]);
    const replaced = load(
      copy(`rules:\n  - { id: lock, action: claim, anchor: { call: open }, at: pool, say: "claim it" }\n`),
    );
    expect(replaced.document?.rules).toEqual([
      { id: "lock", action: "claim", call: "open", at: "pool", does: "claim it" },
    ]);
  });

  it("amends by the first of its own rules that have one id", () => {
    const { document, diagnostics } = load(copy(`rules: [{ id: lock, say: first }, { id: lock, say: second }]\n`));
    expect(document?.rules?.map(({ id, does }) => [id, does])).toEqual([["lock", "first"]]);
    expect(diagnostics.map((one) => `${placeOf(one)}: ${one.message}`)).toEqual([
      "RL211 9:41-9:45: `lock` amends no rule of `original`",
    ]);
  });

  it("brings examples along, without sentences of the other file", () => {
    expect(load(copy("")).document?.examples).toEqual([
      {
        name: "lock",
        given: { to: "pool", call: { lock: { amount: "1" } } },
        rule: "lock",
        action: "stake",
        summary: "Alice staked on Copy",
      },
      {
        name: "a lock that reverted",
        given: { to: "pool", status: "reverted", call: { lock: { amount: "1" } } },
        rule: "lock",
      },
    ]);
  });

  it("may be like a template, which tells nothing by itself", () => {
    const template = original
      .replace("kind: protocol", "kind: template")
      .replace(/^source[\s\S]*(?=members)/m, "")
      .replace("name: Original\n", "");
    const { ruleset, diagnostics, file } = load(copy(""), { original: template });
    expect(diagnostics).toEqual([]);
    expect(ruleset.rules.map(({ id }) => id)).toEqual(["copy/lock"]);
    expect(file?.source.rangeOf(["rules", 0, "does"]).start).toEqual({ line: 4, column: 7 });
  });

  it("tells a mistake at `like`, and where it comes from", () => {
    const { diagnostics } = load(copy(""), { original: original.replace("action: stake", "action: steak") });
    expect(
      diagnostics.map(({ file, related }) => [file, related?.map((one) => `${one.file}:${one.range.start.line}`)]),
    ).toEqual([
      ["rules/copy.yaml", ["rules/original.yaml:16"]],
      ["rules/original.yaml", undefined],
    ]);
  });
});

describe("what `like` and its companions refuse", () => {
  const third = "protocol: third\nkind: protocol\nlike: original\n";
  it.each<[string, string, Record<string, string> | undefined, string[]]>([
    [
      "a file that is not there",
      copy("").replace("like: original", "like: orginal"),
      undefined,
      ["RL211 4:7-4:14 original: `orginal` is no rule file"],
    ],
    [
      "itself",
      copy("").replace("like: original", "like: copy"),
      undefined,
      ["RL211 4:7-4:11: a file cannot be like itself"],
    ],
    [
      "a chain",
      copy("").replace("like: original", "like: third"),
      { original, third },
      ["RL211 4:7-4:12: `third` is itself like `original`; a file that says its own rules was expected"],
    ],
    [
      "nothing, where something is left out",
      copy("").replace("like: original\n", ""),
      undefined,
      ["RL211 4:1-4:8: there is no `like` here; `without` leaves out what comes from another file"],
    ],
    [
      "a role that nobody knows",
      copy("", "without: [vault, made, volt]\n"),
      undefined,
      ["RL211 5:24-5:28 vault: `volt` is no rule, role or member of `original`"],
    ],
    [
      "a role that is there",
      copy("", "without: [pool, vault, made]\n"),
      undefined,
      ["RL211 5:11-5:15: `pool` is left out and said here as well"],
    ],
    [
      "a rule that is not there",
      copy("rules:\n  - { id: luck, at: pool }\n"),
      undefined,
      ["RL211 10:11-10:15: `luck` amends no rule of `original`"],
    ],
    [
      "a role that is missing",
      copy("", "without: [made]\n"),
      undefined,
      [
        "RL212 4:7-4:15: the rule `lock` needs `vault`, which is neither here nor left out by `without`",
        "RL212 4:7-4:15: the rule `open` needs `vault`, which is neither here nor left out by `without`",
      ],
    ],
  ])("%s", (_, text, files, expected) => {
    const code = expected[0]?.slice(0, 5) ?? "";
    expect(told(text, files).filter((line) => line.startsWith(code) && !line.startsWith("RL212 3"))).toEqual(expected);
  });

  it("a template that is like something", () => {
    const template = "protocol: copy\nkind: template\nlike: original\n";
    expect(told(template)).toEqual(["RL211 3:1-3:5: a template stands alone and has no contracts"]);
  });
});

describe("contracts", () => {
  const file = (contracts: string, source = "") =>
    `protocol: copy\nname: Copy\nkind: protocol\n${source}contracts:\n${contracts}`;
  const a = "0x420DD381b31aEf6683db6B902084cB0FFECe40Da";
  const b = "0xA238Dd80C259a72e81d7e4664a9801593F98d1c5";

  it("have the source of the address, else of the role, else of the file", () => {
    const text = file(
      `  one: { First: "${a}" }\n  two:\n    source: of the role\n    Second: "${b}"\n    First: { at: "${a}", source: [of the address, and another] }\n`,
      "source: of the file\n",
    );
    const { document, diagnostics } = load(text);
    expect(diagnostics).toEqual([]);
    expect(document?.contracts).toEqual({
      one: [{ address: a, label: "First", source: ["of the file"] }],
      two: [
        { address: b, label: "Second", source: ["of the role"] },
        { address: a, label: "First", source: ["of the address", "and another"] },
      ],
    });
  });

  it("say where they are wrong", () => {
    expect(told(file(`  one: { First: "${a}" }\n`))).toEqual([
      `RL202 5:17-5:61: \`source\` is missing: of the file, the role or this address`,
    ]);
    expect(told(file(`  one: { First: "${a.toUpperCase().replace("0X", "0x")}" }\n`, "source: a book\n"))).toEqual([
      `RL205 6:17-6:61 ${a}: \`${a.toUpperCase().replace("0X", "0x")}\` has a wrong EIP-55 checksum`,
    ]);
  });
});
