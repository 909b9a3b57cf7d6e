import { describe, expect, it } from "vitest";
import { listOf, sortContracts } from "../../../src/rules/ruleset/compile/scope.ts";
import { compileSources } from "../../../src/rules/ruleset/load.ts";
import { compileTexts, marketFile, placeOf } from "./rule-text.ts";

const pool = "0xA238Dd80C259a72e81d7e4664a9801593F98d1c5";
const vault = "0x6Cb442acF35158D5eDa88fe602221b67B400Be3E";
const told = (text: string) =>
  compileTexts({ market: text }).diagnostics.map((one) => `${placeOf(one)}: ${one.message}`);

describe("the names of a file", () => {
  it("are its contracts, tables and items", () => {
    const tables = `tables:\n  assets: { "7": "${pool}", "${vault}": "${pool}" }\n`;
    const messages = '  Vote: "message Vote(address voter)"\n';
    const text = marketFile(tables).replace('  move: "', () => `${messages}  move: "`);
    const { files, diagnostics } = compileTexts({ market: text });
    expect(diagnostics).toEqual([]);
    const scope = files[0]?.scope;
    expect([...(scope?.contracts ?? [])]).toEqual([
      ["pool", [pool.toLowerCase(), vault.toLowerCase()]],
      ["factory", ["0x420dd381b31aef6683db6b902084cb0ffece40da"]],
    ]);
    expect([...(scope?.tables.get("assets") ?? [])]).toEqual([
      ["7", pool.toLowerCase()],
      [vault.toLowerCase(), pool.toLowerCase()],
    ]);
    expect([...(scope?.abi.keys() ?? [])]).toEqual(["isPool", "Moved", "move", "push", "Denied"]);
    expect([...(scope?.messages.keys() ?? [])]).toEqual(["Vote"]);
    expect(scope?.names.map(({ address, label, category }) => [address, label, category])).toEqual([
      [pool.toLowerCase(), "The Pool", "market"],
      [vault.toLowerCase(), "Market pool", "market"],
      ["0x420dd381b31aef6683db6b902084cb0ffece40da", "Market factory", "market"],
    ]);
    expect([scope?.idOf("a"), scope?.idOf("other/a")]).toEqual(["market/a", "other/a"]);
  });

  it("count for the version of its rules, in whatever order contracts stand", () => {
    const version = (text: string) => compileTexts({ market: text }).ruleset.rules[0]?.version();
    const base = marketFile(`rules:\n  - { id: a, action: stake, anchor: { call: move }, at: pool, say: "do it" }\n`);
    const lines = base.split("\n");
    const at = lines.findIndex((line) => line.includes(pool));
    const turned = lines
      .with(at, lines[at + 1] as string)
      .with(at + 1, lines[at] as string)
      .join("\n");
    expect(turned).not.toBe(base);
    expect(version(turned)).toBe(version(base));
    expect(version(base.replace("The Pool", "A Pool"))).not.toBe(version(base));
    expect(version(base.replace("made:", "maid:"))).not.toBe(version(base));
    expect(version(base.replace("address who)", "address whom)"))).not.toBe(version(base));
    const steps = `programs: { t: { of: { '0x01': move } } }\n`;
    expect(version(base.replace("rules:", `${steps}rules:`))).not.toBe(version(base));
  });

  it("are in order where order means nothing", () => {
    const entries = [{ address: "0xb" }, { address: "0xa" }, { address: "0xB" }] as never;
    expect(sortContracts({ role: entries })).toEqual({
      role: [{ address: "0xB" }, { address: "0xa" }, { address: "0xb" }],
    });
    expect(entries).toEqual([{ address: "0xb" }, { address: "0xa" }, { address: "0xB" }]);
    expect(sortContracts(undefined)).toBeUndefined();
    expect([listOf(undefined), listOf("a"), listOf(["a", "b"])]).toEqual([[], ["a"], ["a", "b"]]);
  });
});

describe("a signature that does not parse", () => {
  const sizes = "is no type: integers have 8, 16, 24 … 256 bits";
  it.each([
    // Letters that changed places are meant before others.
    ["uint265 amount", `24-14:31 uint256: \`uint265\` ${sizes}`],
    ["uint52 amount", `24-14:30 uint152: \`uint52\` ${sizes}`],
    ["uint amount, addres to", "37-14:43 address: `addres` is no type of the ABI"],
    ["(uint256 a", "23-14:24: the parenthesis that opens here is not closed; `)` was expected"],
  ])("is told at its word: %s", (parameter, expected) => {
    const text = marketFile("").replace(
      'move: "function move(uint256 amount)"',
      () => `move: "function move(${parameter})"`,
    );
    expect(told(text)).toEqual([`RL301 14:${expected}`]);
  });

  it("is told in its parser's words where no word is wrong", () => {
    const messages = '  Vote: "message Vote(Item item)"\n';
    const text = marketFile("").replace('  move: "', () => `${messages}  move: "`);
    expect(told(text)).toEqual(["RL301 14:9-14:34: the signature does not parse: the struct Item is missing"]);
  });

  it("is no item that a rule could use, and told once", () => {
    const rule = `rules:\n  - { id: a, action: stake, anchor: { call: move }, at: pool, say: "do it" }\n`;
    const text = marketFile(rule).replace("function move(uint256 amount)", "function move(uint7 amount)");
    expect(told(text)).toHaveLength(1);
  });
});

describe("files of one protocol", () => {
  const file = (text: string, name: string, folder?: number) => ({
    file: name,
    text: `protocol: ${text}\nname: Some\nkind: protocol\nrules: []\n`,
    ...(folder !== undefined && { folder }),
  });
  const found = (...sources: ReturnType<typeof file>[]) =>
    compileSources(sources).diagnostics.map((one) => `${one.file} ${placeOf(one)}: ${one.message}`);
  const taken = (first: string) => `\`a\` is defined in ${first} already; an id of its own was expected`;

  it("are at fault in the later folder, or by name", () => {
    expect(found(file("a", "y/a.yaml", 1), file("a", "z/a.yaml", 0))).toEqual([
      `y/a.yaml RL208 1:11-1:12: ${taken("z/a.yaml")}`,
    ]);
    expect(found(file("a", "z/a.yaml"), file("a", "y/a.yaml"))).toEqual([
      `z/a.yaml RL208 1:11-1:12: ${taken("y/a.yaml")}`,
    ]);
    expect(found(file("a", "z/a.yaml", 1), file("a", "y/a.yaml", 1), file("a", "x/a.yml", 1))).toEqual([
      `y/a.yaml RL208 1:11-1:12: ${taken("x/a.yml")}`,
      `z/a.yaml RL208 1:11-1:12: ${taken("x/a.yml")}`,
    ]);
  });

  it("are taken over as the first of them", () => {
    const silent = (folder: string) => file("a", `${folder}/a.yaml`);
    const telling = (folder: string) => {
      const { text, ...rest } = silent(folder);
      return { ...rest, text: text.replace("rules: []", "subjects: [{ event: E, at: any, subject: who }]") };
    };
    const copy = { file: "b.yaml", text: "protocol: b\nname: Copy\nkind: protocol\nlike: a\n" };
    const takenOver = (...sources: { file: string; text: string }[]) =>
      compileSources([...sources, copy]).files.find(({ source }) => source.file === "b.yaml")?.document?.subjects;
    expect(takenOver(telling("z"), silent("y"))).toBeUndefined();
    expect(takenOver(silent("z"), telling("y"))).toEqual([{ event: "E", at: "any", subject: "who" }]);
  });

  it("are named as it", () => {
    expect(found(file("a", "x/b.yaml"))).toEqual(["x/b.yaml RL201 1:11-1:12 b: `a` differs from the file name `b`"]);
    expect(found(file("a", "x/a.yml"))).toEqual([]);
  });
});
