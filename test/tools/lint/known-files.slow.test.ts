import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { compileSources } from "../../../src/rules/ruleset/load.ts";
import { KnownFiles } from "../../../src/tools/lint/known-files.ts";
import { lint } from "../../../src/tools/lint/lint.ts";
import { defaultRecordings, findSources, type LintSources } from "../../../src/tools/lint/sources.ts";
import { root } from "../../support/shared.ts";

const cache = mkdtempSync(join(tmpdir(), "txgloss-known-"));
afterAll(() => rmSync(cache, { recursive: true }));

/** Copies and their originals are among them. */
const stems = ["aave-v3", "seamless", "uniswap-v2-and-v3", "uniswap-v2", "baseswap", "sushiswap", "tokens", "weth"];
const shipped = findSources([join(root, "rules")]);
const sources: LintSources = {
  ...shipped,
  rules: shipped.rules.filter(({ file }) => stems.includes(basename(file, ".yaml")) || !/rules\/\w+\//.test(file)),
};

/** The sources with one changed file, which is the only one that is asked for. */
function changed(name: string, edit: (text: string) => string): LintSources {
  const rules = sources.rules.map((one) =>
    one.file.endsWith(`/${name}.yaml`) ? { ...one, text: edit(one.text) } : one,
  );
  const wanted = rules.filter(({ file }) => file.endsWith(`/${name}.yaml`)).map(({ file }) => file);
  return { ...sources, rules, wanted: new Set(wanted) };
}

function allOf(given: LintSources): LintSources {
  return { ...given, wanted: new Set(given.rules.map(({ file }) => file)) };
}

const aave = "lending/aave-v3";
const edits: readonly [string, string, (text: string) => string][] = [
  ["nothing", aave, (text) => text],
  ["a role that is not there", aave, (text) => text.replace("at: pool", "at: pol")],
  ["an order before nothing", aave, (text) => text.replace(/^( {4})action: .*$/m, "$&\n$1before: [uniswap-v2/swp]")],
  [
    "an order that goes without saying",
    aave,
    (text) => text.replace(/^( {4})action: .*$/m, "$&\n$1before: [tokens/transfer]"),
  ],
  ["an id twice", aave, (text) => text.replace(/- id: withdraw\b/, "- id: supply")],
  ["what is not YAML", aave, (text) => text.replace("rules:", "rules: [")],
  ["another file's name", aave, (text) => text.replace("protocol: aave-v3", "protocol: compound-v2")],
  [
    "another label for an address",
    aave,
    (text) =>
      text.replace("\ncontracts:\n", '\ncontracts:\n  other: { Else: "0x4752ba5DBc23f44D87826276BF6Fd6b1C372aD24" }\n'),
  ],
  ["a copy of nothing", "lending/seamless", (text) => text.replace("like: aave-v3", "like: aave-v33")],
  ["a copy that amends nothing", "lending/seamless", (text) => `${text}\nwithout: [suply]\n`],
  ["a template", "dex/uniswap-v2-and-v3", (text) => text.replace("kind: template", "kind: standard")],
  ["a rule that another file has", "dex/baseswap", (text) => text.replace(/^like: .*$/m, "like: sushiswap")],
];

describe("a run that remembers the other files", { timeout: 120_000 }, () => {
  const recordings = defaultRecordings();

  it("remembers each file without a mistake", () => {
    lint(allOf(sources), recordings, { cacheDir: cache });
    expect(readdirSync(cache)).toEqual([expect.stringMatching(/^lint-[0-9a-f]{32}\.json$/)]);
    const given = changed(aave, (text) => text);
    const { rules, labels } = new KnownFiles(cache, given).recall(given);
    expect(rules.filter(({ value }) => value === undefined).map(({ file }) => file)).toEqual([...given.wanted]);
    expect(labels.filter(({ value }) => value === undefined)).toEqual([]);
  });

  it("reads a file that is asked for, and the one that it is like, and compiles the same rules", () => {
    const given = changed("lending/seamless", (text) => text);
    const { rules } = new KnownFiles(cache, given).recall(given);
    const read = rules.filter(({ value }) => value === undefined).map(({ file }) => file);
    expect(read.map((file) => file.split("/").at(-1)).sort()).toEqual(["aave-v3.yaml", "seamless.yaml"]);
    expect(compileSources(rules).ruleset.rules.map(({ id }) => id)).toEqual(
      compileSources(given.rules).ruleset.rules.map(({ id }) => id),
    );
  });

  it.each(edits)("tells of %s in %s what a lint of everything tells", (_, name, edit) => {
    const given = changed(name, edit);
    const [file] = given.wanted;
    const whole = lint(allOf(given), recordings).diagnostics.filter((one) => one.file === file);
    expect(lint(given, recordings, { cacheDir: cache }).diagnostics).toEqual(whole);
    expect(
      given.rules.find((one) => one.file === file)?.text === sources.rules.find((one) => one.file === file)?.text,
    ).toBe(whole.every(({ level }) => level === "note"));
  });

  it("forgets no file of a folder when another one is linted", () => {
    const isTable = (file: string) => !/rules\/\w+\//.test(file);
    const other = { ...changed(aave, (text) => `${text}\n# In another folder.\n`), labels: [] };
    const rules = other.rules.filter(({ file }) => isTable(file) || file.endsWith(`/${aave}.yaml`));
    lint(allOf({ ...other, rules }), recordings, { cacheDir: cache });
    const unknownOf = (given: LintSources) => {
      const recalled = new KnownFiles(cache, given).recall({ ...given, wanted: new Set() });
      return [...recalled.rules, ...recalled.labels].filter(({ value }) => value === undefined);
    };
    expect([unknownOf(sources), unknownOf({ ...other, rules })]).toEqual([[], []]);
  });

  it("starts afresh when the tables of the folder change", () => {
    const given = changed("verbs", (text) => `${text}\n`);
    expect(new KnownFiles(cache, given).recall(given).rules.filter(({ value }) => value !== undefined)).toEqual([]);
  });
});
