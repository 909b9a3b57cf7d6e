import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { draftRuleFile, refuseUnknownAction, toldSteps } from "../../../src/tools/cli/new-rule.ts";
import { UsageError } from "../../../src/tools/terminal/command-table.ts";
import { hashOf } from "../../support/sample.ts";

const steps = (marks: number, file: string) => `
Next: look at each of the ${marks} lines marked "# draft:" and delete it, then
  npm run -s rule-lint -- ${file}
  npm run -s rule-lint -- --mutate ${file}
  npm run -s rule-lint -- order --of shop
  npm run -s rules:order
  npm run golden
  npm run golden -- --write
  npm test
`;

describe("what is told of a draft", () => {
  const draft = {
    protocol: "shop",
    text: "a\n# draft: b\nc # draft: d\n",
    action: "swap",
    anchor: "call pay at entry",
  };

  it("is where it lies, and what to do with it", () => {
    expect(toldSteps(resolve("rules/dex/shop.yaml"), { ...draft, recorded: [] })).toBe(
      `drafted rules/dex/shop.yaml: call pay at entry is swap\n${steps(2, "rules/dex/shop.yaml")}`,
    );
    expect(toldSteps("rules/dex/shop.yaml", { ...draft, text: "a\n", recorded: [] })).toContain("each of the 0 lines");
  });

  it("begins with what was recorded", () => {
    expect(toldSteps("rules/dex/shop.yaml", { ...draft, recorded: [resolve("a.json"), "b.json"] })).toBe(
      `recorded a.json\nrecorded b.json\ndrafted rules/dex/shop.yaml: call pay at entry is swap\n${steps(2, "rules/dex/shop.yaml")}`,
    );
  });

  it.each([
    ["rules/new/shop.yaml", "contract_interaction", true],
    ["rules/social/shop.yaml", "contract_interaction", false],
    ["rules/new/shop.yaml", "swap", false],
  ])("in %s as %s says that it has no home: %s", (path, action, told) => {
    const home = "rules/new is no family: move the file to the folder where a reader would look for it\n";
    const head = `drafted ${path}: call pay at entry is ${action}\n${told ? home : ""}`;
    expect(toldSteps(path, { ...draft, action, recorded: [] })).toBe(`${head}${steps(2, path)}`);
  });
});

describe("a draft that cannot be made", () => {
  const protocol = "expected one protocol id, such as rule-lint new aerodrome --tx 0x…";
  const tx = ["--tx", hashOf(1)];
  const noHash = "--tx expects 0x followed by 64 hex digits, or a link with them";
  it.each([
    [[], protocol],
    [["a", "b", ...tx], protocol],
    [["A", ...tx], '"A" is no protocol id: lower case, digits and hyphens'],
    [["a--b", ...tx], '"a--b" is no protocol id: lower case, digits and hyphens'],
    [["-a-", ...tx], /^there is no option -a/],
    [["a"], "expected --tx HASH, --address 0x… or --message FILE: a rule is drafted from one of them"],
    [["a", "--tx", "0x12"], noHash],
    [["a", ...tx, "--role", "2x"], '"2x" is no role: lower case, digits and underscores'],
    [["a", ...tx, "--role", "x-y"], '"x-y" is no role: lower case, digits and underscores'],
    [["a", ...tx, "--family", "nowhere"], /^--family is one of accounts, aggregators, (?!.*actions\.yaml)/],
    [["a", "--message", "x.json", "--family", "nowhere"], /^--family is one of accounts, /],
    [["aerodrome", ...tx], "rules/dex/aerodrome.yaml is there already"],
    [["aerodrome", "--tx", `https://basescan.org/tx/${hashOf(1)}`], "rules/dex/aerodrome.yaml is there already"],
    [["aerodrome", "--message", "x.json"], "rules/dex/aerodrome.yaml is there already"],
    [["a", ...tx, "--abi", "none.abi"], /^there is no none\.abi/],
    [["a", ...tx, "--recordings", "package.json"], "package.json is a file, and a folder was expected"],
  ])("%j", async (args, message) => {
    const told: string[] = [];
    const { err, ...ended } = await draftRuleFile(args, (line) => told.push(line));
    expect([ended, told]).toEqual([{ status: 2, out: "" }, []]);
    const [first = "", ...more] = err.split("\n");
    if (typeof message === "string") expect(first).toBe(`rule-lint: ${message}`);
    else expect(first.replace("rule-lint: ", "")).toMatch(message);
    expect(more).toEqual(["rule-lint new --help says more.", ""]);
  });

  it.each([
    [null, undefined],
    ["swap", undefined],
    ["swop", 'rules/actions.yaml has no action "swop"; did you mean swap?'],
    ["qqqqqq", 'rules/actions.yaml has no action "qqqqqq"'],
  ])("for the action %j: %s", (action, refusal) => {
    const actions = new Map([
      ["swap", {}],
      ["stake", {}],
    ]);
    const refused = () => refuseUnknownAction(action, actions);
    if (refusal === undefined) expect(refused()).toBeUndefined();
    else expect(refused).toThrow(new UsageError(refusal));
  });

  it("for a message that nobody can read is told without the usage", async () => {
    const { status, out, err } = await draftRuleFile(["a", "--message", "package.json"], () => {});
    expect([status, out]).toEqual([2, ""]);
    expect(err).toMatch(/^rule-lint: [^\n]+\n$/);
  });
});
