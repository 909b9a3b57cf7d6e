import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "./support/shared.ts";
import { inspect, readSources, type SourceFile } from "./support/source-files.ts";

/**
 * Houses and their rooms, the lowest first: a file may import from its own room and from those below it, never from another room of its own
 * line. A house is its folder in src/ with what lies directly in it.
 */
const ranks = [
  ["kernel"],
  ["model"],
  ["rules/abi", "rules/documents"],
  ["rules/labels", "rules/ruleset", "rules/typed-data"],
  ["engine/normalize"],
  ["engine/money"],
  ["engine/unwrap"],
  ["engine/match"],
  ["engine/settle", "engine/assess"],
  ["engine/ledger"],
  ["engine/present"],
  ["engine/plan"],
  ["engine"],
  ["gather/network", "gather/recordings"],
  ["gather/fetch", "gather/receipt"],
  ["gather/lookup"],
  ["gather/explain"],
  ["gather/preview"],
  ["serve/settings", "serve/postgres", "serve/picture"],
  ["serve/web", "serve/access"],
  ["serve/service"],
  ["serve/http"],
  // MCP is served over HTTP.
  ["serve/mcp"],
  ["serve/start"],
  // The auditor judges answers and shares nothing with what makes them.
  ["tools/terminal", "tools/audit"],
  ["tools/lint", "tools/erc7730"],
  ["tools/volume"],
  ["tools/bulk"],
  ["main.js", "decide.ts", "tools/cli", "tools/library"],
  // The same entry under the name by which harnesses outside this repository start it.
  ["main.ts"],
];

/** What the order alone would allow and the design does not: all that a house, or a room, may know of the others. */
const closed: Record<string, readonly string[]> = {
  gather: ["kernel", "model", "rules/typed-data", "engine/normalize"],
  "serve/picture": ["kernel", "model"],
  "serve/web": ["kernel", "model"],
  "serve/access": ["kernel"],
  "serve/service": ["kernel", "model", "gather"],
  "serve/http": ["kernel", "model", "gather"],
  "serve/mcp": ["kernel", "model", "gather", "rules/ruleset"],
  "tools/terminal": ["kernel", "rules/documents"],
  "tools/audit": ["kernel", "model"],
  "tools/erc7730": ["kernel", "model", "rules/abi", "rules/ruleset"],
};

const sources = readSources("src");
const everything = [...sources, ...readSources("test", "bench")];

function houseOf(path: string): string {
  return path.split("/")[1] as string;
}

/** `house/room`; of what lies directly in a house, or in one without rooms, the house. */
function roomOf(path: string): string {
  const [, house = "", room = ""] = path.split("/");
  const rooms = ranks.flat().filter((one) => one.startsWith(`${house}/`));
  return rooms.includes(`${house}/${room}`) ? `${house}/${room}` : house;
}

function rankOf(room: string): number {
  return ranks.findIndex((rooms) => rooms.includes(room));
}

function mayImport(from: string, to: string): boolean {
  const [own, other] = [roomOf(from), roomOf(to)];
  if (own === other) return true;
  if (rankOf(own) <= rankOf(other)) return false;
  const known = closed[own] ?? closed[houseOf(from)];
  return known === undefined || houseOf(from) === houseOf(to) || known.includes(other) || known.includes(houseOf(to));
}

/** Imports that break the order, as `from → to`. */
function findUpward(files: readonly SourceFile[]): string[] {
  return files.flatMap(({ path, imports }) =>
    imports
      .filter((target) => target.startsWith("src/") && !mayImport(path, target))
      .map((target) => `${path} → ${target}`),
  );
}

/** The files of one import cycle, or undefined when there is none. */
function findCycle(files: readonly SourceFile[]): string[] | undefined {
  const imports = new Map(files.map((file) => [file.path, file.imports]));
  const done = new Set<string>();
  const follow = (path: string, trail: string[]): string[] | undefined => {
    if (trail.includes(path)) return [...trail.slice(trail.indexOf(path)), path];
    if (done.has(path)) return undefined;
    for (const next of imports.get(path) ?? []) {
      const found = follow(next, [...trail, path]);
      if (found !== undefined) return found;
    }
    done.add(path);
    return undefined;
  };
  for (const { path } of files) {
    const found = follow(path, []);
    if (found !== undefined) return found;
  }
  return undefined;
}

describe("imports", () => {
  it("knows every room of src/", () => {
    expect(sources.filter(({ path }) => rankOf(roomOf(path)) < 0)).toEqual([]);
    expect(readdirSync(join(root, "src"), { withFileTypes: true }).filter((one) => one.isDirectory()).length).toBe(7);
  });

  it("only go down, type imports included", () => {
    expect(findUpward(sources)).toEqual([]);
  });

  it("leave the importer of descriptors to its command", () => {
    const users = sources.filter(
      ({ path, imports }) => roomOf(path) !== "tools/erc7730" && imports.some((to) => roomOf(to) === "tools/erc7730"),
    );
    expect(users.map(({ path }) => path)).toEqual(["src/tools/cli/import-erc7730.ts"]);
  });

  it("leave the auditor to its command and to forgeries, and give it nothing but shapes of the model", () => {
    const users = sources.filter(
      ({ path, imports }) => roomOf(path) !== "tools/audit" && imports.some((to) => roomOf(to) === "tools/audit"),
    );
    expect(users.map(({ path }) => path)).toEqual([
      "src/tools/cli/commands.ts",
      "src/tools/lint/mutation/case-outcome.ts",
      "src/tools/lint/mutation/mutate.ts",
    ]);
    const values = sources
      .filter(({ path }) => roomOf(path) === "tools/audit")
      .filter(({ path }) => /^import (?!type )[^;]*"(?:\.\.\/)+model\//m.test(readFileSync(join(root, path), "utf8")));
    expect(values.map(({ path }) => path)).toEqual([]);
  });

  it("take all of viem only where the chain is asked: its clients are twice as many modules, and the linter needs none", () => {
    const whole = /^import (?!type )[^;]*from "viem";/m;
    const users = sources.filter(({ path }) => whole.test(readFileSync(join(root, path), "utf8")));
    expect(new Set(users.map(({ path }) => roomOf(path)))).toEqual(
      new Set(["serve/access", "gather/lookup", "gather/network", "gather/preview"]),
    );
  });

  it("make no cycle", () => {
    expect(findCycle(sources)).toBeUndefined();
  });

  it("never reach from src/ into test/ or bench/", () => {
    const outside = sources.flatMap(({ path, imports }) => imports.map((target) => `${path} → ${target}`));
    expect(outside.filter((line) => / → (?:test|bench)\//.test(line))).toEqual([]);
  });

  it("are seen by these checks when they go wrong", () => {
    const files = [
      inspect("src/kernel/a.ts", 'import type { B } from "../model/b.ts";\nexport const a: B = 1;'),
      inspect("src/model/b.ts", 'import { a } from "../kernel/a.ts";\nexport type B = typeof a;'),
      inspect("src/engine/settle/c.ts", 'export { d } from "../assess/d.ts";'),
      inspect("src/gather/network/e.ts", 'export const rules = () => import("../../rules/ruleset/load.ts");'),
    ];
    expect(findUpward(files)).toEqual([
      "src/kernel/a.ts → src/model/b.ts",
      "src/engine/settle/c.ts → src/engine/assess/d.ts",
      "src/gather/network/e.ts → src/rules/ruleset/load.ts",
    ]);
    expect(findCycle(files)).toEqual(["src/kernel/a.ts", "src/model/b.ts", "src/kernel/a.ts"]);
  });
});

describe("files", () => {
  it("have at most 400 lines", () => {
    const long = everything.filter(({ lines }) => lines > 400);
    expect(long.map(({ path, lines }) => `${path}: ${lines}`)).toEqual([]);
  });

  it("have names in kebab-case that say what they hold", () => {
    const odd = everything
      .map(({ path }) => path)
      .filter((path) => !/^[a-z0-9]+(?:[-.][a-z0-9]+)*\.[jt]s$/.test(basename(path)));
    expect(odd).toEqual([]);
    const vague = /(?:^|\/)(?:utils?|helpers?|common|types|misc|shared-types|index)(?:\/|\.[jt]s$)/;
    expect(everything.map(({ path }) => path).filter((path) => vague.test(path))).toEqual([]);
  });

  it("export by name, from where the thing is defined", () => {
    // What the package shows to others is gathered in one place; scorers look for `decide` in another.
    const inner = sources.filter(({ path }) => !path.startsWith("src/tools/library/") && path !== "src/decide.ts");
    const odd = inner.filter((file) => file.exports.default || file.exports.barrel);
    expect(odd.map(({ path }) => path)).toEqual([]);
  });
});

describe("what is particular to one chain", () => {
  it("is known to the chain profile alone", () => {
    const knows = /\b8453n?\b|0x2105\b|basescan/i;
    const files = sources.filter(({ path }) => knows.test(readFileSync(join(root, path), "utf8")));
    expect(files.map(({ path }) => path)).toEqual(["src/kernel/chain-profile.ts"]);
  });
});

describe("folders of src", () => {
  const folders = readdirSync(join(root, "src"), { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isDirectory(),
  );

  it("have at most 20 source files side by side", () => {
    const counts = new Map<string, number>();
    for (const { path } of sources) counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
    expect([...counts].filter(([, count]) => count > 20)).toEqual([]);
  });

  it("say in a README what they are for, and name files that there are", () => {
    const houses = folders.filter(({ parentPath }) => parentPath === join(root, "src")).map(({ name }) => name);
    const lost = houses.flatMap((house) => {
      const readme = readFileSync(join(root, "src", house, "README.md"), "utf8");
      const named = [...readme.matchAll(/`([\w./-]+\.(?:ts|js))`/g)].map(([, name]) => name as string);
      return named
        .filter((name) => !sources.some(({ path }) => path.endsWith(`/${name}`)))
        .map((name) => `${house}: ${name}`);
    });
    expect(lost).toEqual([]);
  });
});

describe("functions", () => {
  const functions = sources.flatMap(({ path, functions: found }) => found.map((one) => ({ path, ...one })));

  it("have at most 60 lines", () => {
    const long = functions.filter(({ lines }) => lines > 60);
    expect(long.map(({ path, name, line, lines }) => `${path}:${line} ${name}: ${lines}`)).toEqual([]);
  });

  it("are counted by these checks", () => {
    const file = inspect("src/x.ts", `export const f = (a: string) => {\n${"\n".repeat(60)}};\nfunction g(): void {}`);
    expect(file.functions).toEqual([
      { name: "f", line: 1, lines: 62 },
      { name: "g", line: 63, lines: 1 },
    ]);
  });
});

describe("docs/architecture.md", () => {
  it("leads through one swap by at most 18 files, and all of them exist", () => {
    const [, way = ""] = readFileSync(join(root, "docs/architecture.md"), "utf8").split(/^## One swap$/m);
    const files = [...(way.split(/^## /m)[0] as string).matchAll(/`([\w./-]+\.(?:ts|yaml))`/g)].map(
      ([, name]) => name as string,
    );
    const there = (name: string) => ["", "src/engine"].some((folder) => existsSync(join(root, folder, name)));
    expect(files.filter((name) => !there(name))).toEqual([]);
    expect(new Set(files).size).toBeLessThanOrEqual(18);
  });
});
