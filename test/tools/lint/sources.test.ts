import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { defaultPaths, defaultRecordings, findSources, shownPath } from "../../../src/tools/lint/sources.ts";
import { refuseMistakes } from "../../../src/tools/lint/world.ts";
import { root } from "../../support/shared.ts";

const dir = mkdtempSync(join(tmpdir(), "txgloss-sources-"));
afterAll(() => rmSync(dir, { recursive: true }));
const label = "schema: tokens/v1\n";
const files = {
  "book/rules/actions.yaml": "a: 1\n",
  "book/rules/dex/one.yaml": "one: 1\n",
  "book/rules/dex/two.yml": "two: 1\n",
  "book/rules/notes.txt": "no rules\n",
  "book/labels/tokens.yaml": label,
  "book/schemas/rule.schema.json": "{}",
  "book/schemas/actions.schema.json": "{}",
  "bare/actions.yaml": "a: 2\n",
  "bare/verbs.yaml": "b: 2\n",
  "bare/three.yaml": "# schema: no label\nthree: 1\n",
  "alone/four.yaml": "four: 1\n",
  "alone/names.yaml": `# Names.\n${label}`,
  "empty/notes.txt": "nothing\n",
};
for (const [path, text] of Object.entries(files)) {
  mkdirSync(dirname(join(dir, path)), { recursive: true });
  writeFileSync(join(dir, path), text);
}
const base = relative(process.cwd(), dir);
const ours = relative(process.cwd(), root);

/** Paths as these tests write them: below their folder, or `ship/…` of the package. */
const short = (path: string) =>
  path.startsWith(`${base}/`) ? path.slice(base.length + 1) : `ship/${relative(ours, path)}`;

function found(paths: string[], others: string[] = []) {
  const whole = (path: string) => (path === "shipped" ? path : join(dir, path));
  const { rules, labels, wanted, schemas } = findSources(paths.map(whole), others.map(whole));
  return {
    rules: rules.map(({ file }) => short(file)),
    labels: labels.map(({ path }) => short(path)),
    wanted: [...wanted].map(short),
    schemas: Object.fromEntries([...(schemas ?? [])].map(([file, schema]) => [short(file), schema])),
  };
}

const [verbs, wording, actions] = ["verbs", "wording", "actions"].map((name) => `ship/rules/${name}.yaml`) as never as [
  ...[string, string, string],
];
const book = ["book/rules/actions.yaml", "book/rules/dex/one.yaml", "book/rules/dex/two.yml"];

describe("the files of a run", () => {
  it("are the whole folder around a file that is asked for, the labels beside it and missing tables of the package", () => {
    const { rules, labels, wanted } = found(["book/rules/dex/one.yaml"]);
    expect(rules).toEqual([...book, verbs, wording]);
    expect([labels, wanted]).toEqual([["book/labels/tokens.yaml"], ["book/rules/dex/one.yaml"]]);
    expect(found(["book/rules"])).toMatchObject({ rules: [...book, verbs, wording], wanted: book });
    expect(found(["book/rules/dex/two.yml", "book/rules/dex"]).wanted).toEqual([book[2], book[1]]);
  });

  it("hold what they hold", () => {
    const { rules, labels } = findSources([join(dir, "alone")]);
    expect(rules[0]).toEqual({ file: `${base}/alone/four.yaml`, text: "four: 1\n" });
    expect(labels).toEqual([{ path: `${base}/alone/names.yaml`, text: `# Names.\n${label}` }]);
  });

  it("stand beside the tables and labels of the package where they have none", () => {
    const alone = found(["alone/four.yaml"]);
    expect(alone.rules).toEqual(["alone/four.yaml", actions, verbs, wording]);
    expect(alone.labels).toContain("ship/labels/tokens.yaml");
    const bare = found(["bare/three.yaml"]);
    expect(bare.rules).toEqual(["bare/actions.yaml", "bare/three.yaml", "bare/verbs.yaml", wording]);
    expect(bare.labels).toEqual(alone.labels);
  });

  it("are of several folders together", () => {
    const { rules, wanted, labels } = found(["book/rules/dex/one.yaml", "bare/three.yaml", "alone/four.yaml"]);
    const both = [...book, "bare/actions.yaml", "bare/three.yaml", "bare/verbs.yaml", "alone/four.yaml", wording];
    expect([rules, wanted, labels]).toEqual([
      both,
      ["book/rules/dex/one.yaml", "bare/three.yaml", "alone/four.yaml"],
      ["book/labels/tokens.yaml"],
    ]);
  });

  it("may be labels alone, or labels among rules", () => {
    const labels = found(["book/labels"]);
    expect([labels.rules, labels.labels]).toEqual([[actions, verbs, wording], ["book/labels/tokens.yaml"]]);
    expect(labels.wanted).toEqual(["book/labels/tokens.yaml"]);
    expect(found(["alone", "book/rules"]).labels).toEqual(["alone/names.yaml"]);
  });

  it("add to others, which are not asked for", () => {
    const { rules, labels, wanted } = found(["alone/four.yaml"], ["book/rules", "book/labels"]);
    expect(rules).toEqual([...book, "alone/four.yaml", verbs, wording]);
    expect([labels, wanted]).toEqual([["book/labels/tokens.yaml"], ["alone/four.yaml"]]);
    expect(found(["alone"], ["book/labels", "alone"])).toMatchObject({
      ...{ rules: ["alone/four.yaml", actions, verbs, wording] },
      ...{ labels: ["book/labels/tokens.yaml", "alone/names.yaml"], wanted: ["alone/four.yaml", "alone/names.yaml"] },
    });
    expect(found(["alone/four.yaml"], ["book/rules"]).labels).toEqual([]);
    const shipped = found(["alone/four.yaml"], ["shipped"]);
    expect(shipped.rules).toEqual(expect.arrayContaining(["ship/rules/standards/erc20.yaml", actions]));
    expect(shipped.labels).toContain("ship/labels/system.yaml");
  });

  it("have the schemas that the project has beside its rules", () => {
    const schema = "../../schemas/rule.schema.json";
    expect(found(["book/rules"]).schemas).toEqual({
      "book/rules/actions.yaml": "../schemas/actions.schema.json",
      ...{ "book/rules/dex/one.yaml": schema, "book/rules/dex/two.yml": schema },
      ...{ [verbs]: "../schemas/verbs.schema.json", [wording]: "../schemas/wording.schema.json" },
    });
    expect(found(["bare/three.yaml"]).schemas).toEqual({ [wording]: "../schemas/wording.schema.json" });
  });
});

describe("what cannot be linted", () => {
  it("is named as it was given", () => {
    const [empty, missing] = [join(dir, "empty"), join(dir, "missing")];
    expect(() => findSources([empty])).toThrow(`there is no YAML file in ${empty}`);
    expect(() => findSources([empty, join(dir, "empty/")])).toThrow(`in ${empty}, ${join(dir, "empty/")}`);
    expect(() => findSources([join(dir, "alone"), missing])).toThrow(`there is no file or folder ${missing}`);
    expect(() => findSources([join(dir, "alone")], [missing])).toThrow(`there is no file or folder ${missing}`);
  });

  it("is what has mistakes, and no warnings", () => {
    const refuse = (...levels: string[]) => refuseMistakes(levels.map((level) => ({ level })) as never);
    expect(() => refuse()).not.toThrow();
    expect(() => refuse("warning", "note")).not.toThrow();
    expect(() => refuse("warning", "error")).toThrow("the rules have 1 mistake; `rule-lint` shows them");
    expect(() => refuse("error", "note", "error")).toThrow("the rules have 2 mistakes; `rule-lint` shows them");
  });
});

it("paths are shown from where the run was started, and the usual ones are there", () => {
  expect(defaultPaths()).toEqual(["rules", "labels"]);
  expect(shownPath(join(process.cwd(), "a/b.yaml"))).toBe("a/b.yaml");
  expect(relative(root, defaultRecordings())).toBe("test/transactions");
});
