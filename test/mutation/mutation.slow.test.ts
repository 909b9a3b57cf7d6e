import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { root } from "../support/shared.ts";
import { type Change, changedLine, changesOf, withChange } from "./change.ts";
import { compiling } from "./compiling.ts";
import { Judge } from "./judge.ts";
import { drawChanges, type Equivalent, roomOf, withoutEquivalent } from "./pick.ts";
import { Reach } from "./reach.ts";
import { chooseFurtherTests, chooseTests } from "./tests.ts";

const text = `export function first(list: readonly number[], least = 3): number[] {
  if (list.length === 0) return [];
  const all = list.filter((n) => n > least).sort((a, b) => a - b);
  console.log(all);
  return all.every((n) => n < 9) && !all.includes(5) ? [...all, 1] : all;
}
`;

/** The lines that changes of one kind make of a line. */
function linesAfter(line: number, kind: string): string[] {
  return changesOf("src/a/a.ts", text)
    .filter((change) => change.line === line && change.kind === kind)
    .map((change) => changedLine(text, change).to);
}

describe("the changes of a file", () => {
  it.each<[number, string, string[]]>([
    [1, "constant moved", ["export function first(list: readonly number[], least = 4): number[] {"]],
    [2, "guard dropped", ["if (false) return [];"]],
    [2, "comparison turned", ["if (list.length !== 0) return [];"]],
    [3, "comparison turned", ["const all = list.filter((n) => n >= least).sort((a, b) => a - b);"]],
    [3, "arithmetic changed", ["const all = list.filter((n) => n > least).sort((a, b) => a + b);"]],
    [3, "call left out", ["const all = list.sort((a, b) => a - b);", "const all = list.filter((n) => n > least);"]],
    [4, "statement dropped", ["{}"]],
    [5, "call changed", ["return all.some((n) => n < 9) && !all.includes(5) ? [...all, 1] : all;"]],
    [5, "not dropped", ["return all.every((n) => n < 9) && all.includes(5) ? [...all, 1] : all;"]],
    [5, "condition joined otherwise", ["return all.every((n) => n < 9) || !all.includes(5) ? [...all, 1] : all;"]],
    [5, "branches swapped", ["return (all.every((n) => n < 9) && !all.includes(5)) ? all : [...all, 1];"]],
    [5, "items left out", ["return all.every((n) => n < 9) && !all.includes(5) ? [ 1] : all;"]],
    [5, "return value changed", ["return [];"]],
  ])("on line %d by %s", (line, kind, expected) => {
    expect(linesAfter(line, kind).sort()).toEqual([...expected].sort());
  });

  it("touch no type, no import and no text", () => {
    const quiet = `import type { A } from "./a.ts";\nexport type B = 1 | true;\nexport const c: 2 = A as 2;\nconst d = "1" + c;\n`;
    expect(changesOf("src/a/b.ts", quiet)).toEqual([]);
  });
});

describe("the changes of a run", () => {
  const files = ["a", "b", "c"].map((room) => [`src/${room}/${room}.ts`, text.repeat(room === "a" ? 9 : 1)] as const);
  const all = files.flatMap(([path, content]) => changesOf(path, content));
  const draw = (count: number, seed: number): Change[] => [...drawChanges(all, count, seed)].slice(0, count);

  it("are the same for the same seed, and others for another", () => {
    expect(draw(12, 1)).toEqual(draw(12, 1));
    expect(draw(12, 1)).not.toEqual(draw(12, 2));
  });

  it("reach every room, the large one more, and no line twice", () => {
    const drawn = draw(12, 7);
    const counts = Object.fromEntries(
      [...Map.groupBy(drawn, ({ path }) => roomOf(path))].map(([r, l]) => [r, l.length]),
    );
    expect(counts).toEqual({ a: 10, b: 1, c: 1 });
    expect(new Set(drawn.map(({ path, line }) => `${path}:${line}`)).size).toBe(12);
  });

  it("leave out what is named as equivalent", () => {
    const texts = new Map(files);
    const [named] = all.filter(({ path }) => path === "src/b/b.ts") as [Change];
    const equivalent = { file: named.path, ...changedLine(text, named), reason: "for this test" };
    const rest = withoutEquivalent(all, texts, [equivalent]);
    expect(all.filter((change) => !rest.includes(change))).toEqual([named]);
  });
});

describe("equivalent.yaml", () => {
  it("names changes that can still be made, each once, with a reason", () => {
    const named = parse(readFileSync(join(root, "test/mutation/equivalent.yaml"), "utf8")) as Equivalent[];
    expect(new Set(named.map(({ file, from, to }) => JSON.stringify([file, from, to]))).size).toBe(named.length);
    for (const { file, from, to, reason } of named) {
      const content = readFileSync(join(root, file), "utf8");
      const lines = changesOf(file, content).map((change) => changedLine(content, change));
      expect(lines, file).toContainEqual({ from, to });
      expect(reason.length, `${file}: ${from}`).toBeGreaterThan(20);
    }
  });
});

describe("the tests that judge a change", () => {
  const reach = () =>
    new Reach(
      new Map([
        ["src/a/a.ts", ""],
        ["src/a/mid.ts", `import "./a.ts";`],
        ["src/b/thread.ts", `new Worker(new URL("./entry.ts", import.meta.url));`],
        ["src/b/entry.ts", `import "../a/a.ts";`],
        ["test/a/far.test.ts", `import "../../src/a/mid.ts";`],
        ["test/a/near.test.ts", `import "../../src/a/a.ts";`],
        ["test/b/other.test.ts", `import "../../src/a/a.ts";`],
        ["test/b/thread.test.ts", `import "../../src/b/thread.ts";`],
        ["test/golden/golden.test.ts", `import "../../src/a/mid.ts";`],
        ["test/c/start.test.ts", `import { spawn } from "node:child_process"; spawn("src/a/mid.ts");`],
        ["test/chaos/all.test.ts", `import "../../src/a/a.ts";`],
      ]),
      {},
    );

  it("are those that reach its file by imports, threads and processes, the nearest first", () => {
    expect(
      reach()
        .testsOf("src/a/a.ts")
        .map(({ path }) => path),
    ).toEqual([
      ...["test/a/near.test.ts", "test/a/far.test.ts", "test/b/other.test.ts", "test/chaos/all.test.ts"],
      ...["test/golden/golden.test.ts", "test/b/thread.test.ts", "test/c/start.test.ts"],
    ]);
    expect(
      reach()
        .testsOf("src/b/thread.ts")
        .map(({ path }) => path),
    ).toEqual(["test/b/thread.test.ts"]);
  });

  it("are first of all the one with its name in its room", () => {
    const texts = new Map([
      ["src/a/a.ts", ""],
      ["test/a/first.test.ts", `import "../../src/a/a.ts";`],
      ["test/a/mid.ts", `import "../../src/a/a.ts";`],
      ["test/a/a.test.ts", `import "./mid.ts";`],
      ["test/b/a.test.ts", `import "../../src/a/a.ts";`],
    ]);
    const paths = new Reach(texts, {}).testsOf("src/a/a.ts").map(({ path }) => path);
    expect(paths).toEqual(["test/a/a.test.ts", "test/a/first.test.ts", "test/b/a.test.ts"]);
  });

  it("start processes only where there is no other, and cost a bounded time", () => {
    const near = reach().testsOf("src/a/a.ts");
    expect(chooseTests(near, {})).not.toContain("test/c/start.test.ts");
    expect(chooseTests(near, {})).not.toContain("test/chaos/all.test.ts");
    expect(chooseTests(near.slice(-1), {})).toEqual(["test/c/start.test.ts"]);
    const costly = Object.fromEntries(near.map(({ path }) => [path, 10_000]));
    expect(chooseTests(near, costly)).toEqual(near.slice(0, 3).map(({ path }) => path));
  });

  it("are followed by the golden record and by all others in reach, where the nearest notice nothing", () => {
    const near = reach().testsOf("src/a/a.ts");
    const costly = Object.fromEntries(near.map(({ path }) => [path, 10_000]));
    const further = chooseFurtherTests(near, costly);
    expect(further[0]).toBe("test/golden/golden.test.ts");
    const chosen = chooseTests(near, costly);
    const rest = near.map(({ path }) => path).filter((path) => !chosen.includes(path) && !path.includes("chaos"));
    expect(further.filter((path) => !path.includes("start")).toSorted()).toEqual(
      rest.filter((path) => !path.includes("start")).toSorted(),
    );
    const tooCostly = Object.fromEntries(near.map(({ path }) => [path, 40_000]));
    expect(chooseFurtherTests(near, tooCostly)).toEqual(["test/golden/golden.test.ts"]);
  });
});

describe("a planted change", () => {
  let tree: string;
  let judge: Judge;
  const source = `export const half = (n: number): number => (n > 10 ? 10 : n / 2);\nexport const name: string = "half";\n`;
  const files: Record<string, string> = {
    "src/half.ts": source,
    "package.json": JSON.stringify({ type: "module" }),
    "tsconfig.json": JSON.stringify({ compilerOptions: { strict: true, noEmit: true, types: [] } }),
    "test/vitest.config.ts": `export default { test: { include: ["test/*.test.ts"] } };`,
    "test/half.test.ts": `import { expect, it } from "vitest";\nimport { half } from "../src/half.ts";\nit("halves", () => expect(half(8)).toBe(4));\n`,
  };
  const planted = (before: string, after: string): Change => {
    const start = source.indexOf(before);
    return { path: "src/half.ts", line: 1, start, end: start + before.length, kind: "planted", before, after };
  };

  beforeAll(() => {
    tree = mkdtempSync(join(tmpdir(), "txgloss-planted-"));
    judge = new Judge(tree);
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(join(tree, path)), { recursive: true });
      writeFileSync(join(tree, path), content);
    }
    mkdirSync(join(tree, "node_modules"));
    for (const name of readdirSync(join(root, "node_modules")))
      if (!name.startsWith(".")) symlinkSync(join(root, "node_modules", name), join(tree, "node_modules", name));
  });
  afterAll(async () => {
    await judge.close();
    rmSync(tree, { recursive: true });
  });

  it("is noticed by the test that it breaks, and survives where none looks; the file is as before", async () => {
    const tests = ["test/half.test.ts"];
    expect((await judge.judge(planted("n / 2", "n * 2"), tests, 20)).noticed).toBe("test/half.test.ts > halves");
    expect((await judge.judge(planted("n > 10", "n >= 10"), tests, 20)).noticed).toBeNull();
    expect((await judge.judge(planted('"half"', '"whole"'), tests, 20)).noticed).toBeNull();
    expect((await judge.judge(planted("n / 2", "half(n)"), tests, 20)).noticed).toBe("test/half.test.ts > halves");
    expect(readFileSync(join(tree, "src/half.ts"), "utf8")).toBe(source);
  });

  it("that does not compile is left out", () => {
    const texts = new Map([["src/half.ts", source]]);
    const changes = [planted('"half"', "5"), planted("n > 10", "n >= 10"), planted("n / 2", "undefined")];
    expect(compiling(tree, texts, changes, 3)).toEqual([changes[1]]);
    expect(withChange(source, changes[1] as Change)).toContain("n >= 10");
  });
});
