import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { KnownFiles } from "../../../src/tools/lint/known-files.ts";
import type { LintSources } from "../../../src/tools/lint/sources.ts";

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "txgloss-values-"));
  folders.push(folder);
  return folder;
}

const texts = {
  "r/actions.yaml": "swap: 1\n",
  "r/x/a.yaml": "rules: []\n",
  "r/x/b.yaml": 'protocol: b\nlike: "a" # the same contracts\n',
  "r/y/c.yml": "rules: [c]\n",
};
const label = "schema: tokens/v1\nsources: {}\ntokens: []\n";

function sourcesOf(
  changed: Record<string, string> = {},
  wanted: string[] = [],
  labels = { "l.yaml": label },
): LintSources {
  const all: Record<string, string> = { ...texts, ...changed };
  return {
    rules: Object.entries(all).map(([file, text]) => ({ file, text })),
    labels: Object.entries(labels).map(([path, text]) => ({ path, text })),
    wanted: new Set(wanted),
  };
}

/** Keeps the values of all files without problems. A value is the name of its file, and its examples. */
function keep(dir: string, sources = sourcesOf(), problems: string[] = []): void {
  const values = new Map(sources.rules.map(({ file }) => [file, { of: file, examples: [1] }]));
  new KnownFiles(dir, sources).keep(sources, { values } as never, problems.map((file) => ({ file })) as never);
}

/** The files that are read again. The others have their kept value without examples. */
function readAnew(dir: string, sources: LintSources, others?: string[]): string[] {
  const { rules, labels } = new KnownFiles(dir, sources).recall(sources, others && new Set(others));
  for (const { file, value } of rules) if (value !== undefined) expect(value).toEqual({ of: file });
  const unknown = labels.filter(({ value }) => value === undefined).map(({ path }) => path);
  return [...rules.filter(({ value }) => value === undefined).map(({ file }) => file), ...unknown];
}

const all = [...Object.keys(texts), "l.yaml"];
const [table, a, b, c] = all as [string, string, string, string];

describe("files that an earlier run kept", () => {
  const dir = makeFolder();
  keep(dir);

  it.each<[string, LintSources, string[] | undefined, string[]]>([
    ["all", sourcesOf(), undefined, []],
    ["but what is asked for", sourcesOf({}, [c]), undefined, [c]],
    ["but a copy and its original", sourcesOf({}, [b]), undefined, [a, b]],
    ["also the copy of what is asked for", sourcesOf({}, [a]), undefined, [a]],
    ["but what a finding refers to", sourcesOf({}, [c]), [a], [a, c]],
    ["but a copy to which a finding refers, and its original", sourcesOf({}, []), [b], [a, b]],
    ["but what has another text", sourcesOf({ [c]: "rules: [d]\n" }), undefined, [c]],
    ["but an original with another text, and its copy", sourcesOf({ [a]: "rules: [d]\n" }), undefined, [a, b]],
    ["but a label file with another text", sourcesOf({}, [], { "l.yaml": `${label}\n` }), undefined, ["l.yaml"]],
    ["a label file that is asked for", sourcesOf({}, ["l.yaml"]), undefined, []],
    ["but a new copy, and its original", sourcesOf({ "r/d.yaml": "like: a\n" }), undefined, [a, "r/d.yaml"]],
    ["but what is new", sourcesOf({ "r/d.yaml": "d: 1\n" }), undefined, ["r/d.yaml"]],
  ])("are taken over: %s", (_what, sources, others, anew) => {
    expect(readAnew(dir, sources, others)).toEqual(anew);
  });

  it("are all read anew beside another table, or a copy of nothing", () => {
    const other = sourcesOf({ [table]: "swap: 2\n" }, [c]);
    expect(new KnownFiles(dir, other).recall(other)).toBe(other);
    const copy = sourcesOf({ [c]: "like: none\n" }, [c]);
    expect(new KnownFiles(dir, copy).recall(copy)).toBe(copy);
    expect(new KnownFiles(makeFolder(), copy).recall(copy)).toBe(copy);
  });

  it.each(["like: a", "x: 1\nlike:   'a'", "like: a#b", "like: a # of a"])(
    "are like another as their text says: %j",
    (text) => {
      const own = makeFolder();
      const sources = sourcesOf({ [c]: `${text}\n` }, [c]);
      keep(own, sources);
      expect(readAnew(own, sources)).toEqual([a, c]);
    },
  );

  it.each(["# like: a", " like: a", "unlike: a"])("are like no other: %j", (text) => {
    const own = makeFolder();
    const sources = sourcesOf({ [c]: `${text}\n` }, [c]);
    keep(own, sources);
    expect(readAnew(own, sources)).toEqual([c]);
  });
});

describe("a damaged memory", () => {
  it.each(["", "{}", '{"values":{}}', '{"signatures":{}}', "[", "null"])("of %j is none", (text) => {
    const dir = makeFolder();
    keep(dir);
    for (const name of readdirSync(dir)) writeFileSync(join(dir, name), text);
    const sources = sourcesOf();
    expect(new KnownFiles(dir, sources).recall(sources)).toBe(sources);
  });
});

describe("files that are kept", () => {
  it("are those without a mistake", () => {
    const dir = makeFolder();
    keep(dir, sourcesOf(), [c, "l.yaml"]);
    expect(readAnew(dir, sourcesOf())).toEqual([c, "l.yaml"]);
    keep(dir);
    expect(readAnew(dir, sourcesOf())).toEqual([]);
  });

  it("are written again only where something is new", () => {
    const dir = makeFolder();
    keep(dir);
    const values = new Map<string, unknown>(Object.keys(texts).map((file) => [file, {}]));
    const rewritten = (sources: LintSources) => {
      const known = new KnownFiles(dir, sources);
      for (const name of readdirSync(dir)) rmSync(join(dir, name));
      known.keep(sources, { values } as never, []);
      const written = readdirSync(dir).length > 0;
      keep(dir);
      return written;
    };
    expect(rewritten(sourcesOf())).toBe(false);
    values.set(c, {});
    expect(rewritten(sourcesOf({ [c]: "rules: [d]\n" }))).toBe(true);
    expect(rewritten(sourcesOf({}, [], { "l.yaml": `${label}\n` }))).toBe(true);
  });

  it("keep the value that they were taken over with", () => {
    const dir = makeFolder();
    keep(dir);
    const sources = sourcesOf({ "r/d.yaml": "d: 1\n" });
    const known = new KnownFiles(dir, sources);
    const values = new Map([["r/d.yaml", { of: "r/d.yaml" }]]);
    known.keep(known.recall(sources), { values } as never, []);
    expect(readAnew(dir, sources)).toEqual([]);
  });
});
