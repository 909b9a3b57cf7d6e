import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "./support/shared.ts";
import { inspect, readSources, type SourceFile } from "./support/source-files.ts";

/**
 * Rooms by rank: a file may import from its own room and from rooms of a lower rank, never from another room of its own rank.
 * Files directly in src/ are rooms of their own.
 */
const ranks = [
  ["kernel"],
  ["model", "settings"],
  ["abi", "documents", "network", "postgres", "recordings"],
  ["labels", "ruleset", "terminal", "typed-data"],
  ["normalize"],
  ["money"],
  ["unwrap"],
  ["match"],
  ["settle", "assess"],
  ["present"],
  ["plan"],
  ["engine"],
  ["picture"],
  ["web"],
  // Judges answers and shares nothing with what makes them.
  ["audit"],
  ["fetch", "receipt"],
  ["lookup"],
  ["explain"],
  ["preview"],
  ["access"],
  ["lint", "erc7730"],
  ["service"],
  ["http"],
  // MCP is served over HTTP.
  ["mcp"],
  ["start"],
  ["volume"],
  ["bulk"],
  ["main.js", "decide.ts", "cli", "library"],
  // The same entry under the name by which harnesses outside this repository start it.
  ["main.ts"],
];

/** What a rank alone would allow and the design does not: gathering knows nothing of rules and settings. */
const closedRooms: Record<string, readonly string[]> = {
  model: ["kernel"],
  settings: ["kernel"],
  network: ["kernel", "model"],
  recordings: ["kernel", "model"],
  abi: ["kernel", "model"],
  documents: ["kernel", "model"],
  terminal: ["kernel", "documents"],
  "typed-data": ["kernel", "model", "abi"],
  ruleset: ["kernel", "model", "abi", "documents"],
  labels: ["kernel", "model", "documents"],
  normalize: ["kernel", "model"],
  money: ["kernel", "model", "normalize"],
  fetch: ["kernel", "model", "network"],
  receipt: ["kernel", "model", "network"],
  lookup: ["kernel", "model", "network", "fetch"],
  explain: ["kernel", "model", "network", "recordings", "fetch", "lookup"],
  preview: ["kernel", "model", "typed-data", "normalize", "network", "fetch", "lookup", "explain"],
  erc7730: ["kernel", "model", "abi", "ruleset"],
  audit: ["kernel", "model"],
  picture: ["kernel", "model"],
  web: ["kernel", "model", "picture"],
  postgres: [],
  access: ["kernel", "settings", "postgres"],
  service: ["kernel", "model", "access", "explain", "preview"],
  http: ["kernel", "model", "picture", "web", "access", "explain", "preview", "service"],
  mcp: ["kernel", "model", "picture", "access", "ruleset", "explain", "preview", "service", "http"],
};

const sources = readSources("src");
const everything = [...sources, ...readSources("test", "bench")];

function roomOf(path: string): string {
  return path.split("/")[1] as string;
}

function rankOf(room: string): number {
  return ranks.findIndex((rooms) => rooms.includes(room));
}

/** Imports that break the ranks, as `from → to`. */
function findUpward(files: readonly SourceFile[]): string[] {
  return files.flatMap(({ path, imports }) =>
    imports
      .filter((target) => target.startsWith("src/"))
      .filter((target) => {
        const [from, to] = [roomOf(path), roomOf(target)];
        return from !== to && (rankOf(to) >= rankOf(from) || closedRooms[from]?.includes(to) === false);
      })
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
    const rooms = readdirSync(join(root, "src"));
    expect(rooms.filter((room) => rankOf(room) < 0)).toEqual([]);
  });

  it("only go down, type imports included", () => {
    expect(findUpward(sources)).toEqual([]);
  });

  it("leave the importer of descriptors to its command", () => {
    const users = sources.filter(
      ({ path, imports }) => roomOf(path) !== "erc7730" && imports.some((to) => roomOf(to) === "erc7730"),
    );
    expect(users.map(({ path }) => path)).toEqual(["src/cli/import-erc7730.ts"]);
  });

  it("leave the auditor to its command and to forgeries, and give it nothing but shapes of the model", () => {
    const users = sources.filter(
      ({ path, imports }) => roomOf(path) !== "audit" && imports.some((to) => roomOf(to) === "audit"),
    );
    expect(users.map(({ path }) => path)).toEqual([
      "src/cli/audit.ts",
      "src/lint/mutation/case-outcome.ts",
      "src/lint/mutation/mutate.ts",
    ]);
    const values = sources
      .filter(({ path }) => roomOf(path) === "audit")
      .filter(({ path }) => /^import (?!type )[^;]*"(?:\.\.\/)+model\//m.test(readFileSync(join(root, path), "utf8")));
    expect(values.map(({ path }) => path)).toEqual([]);
  });

  it("take all of viem only where the chain is asked: its clients are twice as many modules, and the linter needs none", () => {
    const whole = /^import (?!type )[^;]*from "viem";/m;
    const users = sources.filter(({ path }) => whole.test(readFileSync(join(root, path), "utf8")));
    expect(new Set(users.map(({ path }) => roomOf(path)))).toEqual(new Set(["access", "lookup", "network", "preview"]));
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
      inspect("src/settle/c.ts", 'export { d } from "../assess/d.ts";'),
      inspect("src/network/e.ts", 'export const rules = () => import("../ruleset/load.ts");'),
    ];
    expect(findUpward(files)).toEqual([
      "src/kernel/a.ts → src/model/b.ts",
      "src/settle/c.ts → src/assess/d.ts",
      "src/network/e.ts → src/ruleset/load.ts",
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
    const inner = sources.filter(({ path }) => !path.startsWith("src/library/") && path !== "src/decide.ts");
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

  it("say in a README what they are for", () => {
    const rooms = folders.filter(({ parentPath }) => parentPath === join(root, "src")).map(({ name }) => name);
    expect(rooms.filter((name) => !existsSync(join(root, "src", name, "README.md")))).toEqual([]);
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
