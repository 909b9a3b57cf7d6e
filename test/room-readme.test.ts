import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "./support/shared.ts";
import { readSources } from "./support/source-files.ts";

const sources = readSources("src");
const rooms = readdirSync(join(root, "src"), { withFileTypes: true }).flatMap((one) =>
  one.isDirectory() ? one.name : [],
);
const roomOf = (path: string) => path.split("/")[1] as string;

/** The rooms that a README allows; null where it allows whole groups of them. */
function allowedBy(readme: string): string[] | null {
  const said = /May\s+import:\s*([^.]*)\./.exec(readme)?.[1];
  if (said === undefined) return [];
  return /everything|all stages/.test(said) ? null : (said.match(/[\w-]+/g) ?? []);
}

describe.each(rooms)("the README of src/%s", (room) => {
  const readme = readFileSync(join(root, "src", room, "README.md"), "utf8");
  const own = sources.filter(({ path }) => roomOf(path) === room);

  it("names every room that its files import from", () => {
    const allowed = allowedBy(readme);
    const imported = own.flatMap(({ imports }) => imports.filter((to) => to.startsWith("src/")).map(roomOf));
    const unnamed = imported.filter((to) => to !== room && allowed?.includes(to) === false);
    expect([...new Set(unnamed)]).toEqual([]);
  });

  it("names files that there are", () => {
    const names = [...readme.matchAll(/`([\w./-]+\.(?:ts|js))`/g)].map(([, name]) => name as string);
    const known = new Set(own.map(({ path }) => basename(path)));
    const beside = [join("src", room), "src", "."];
    const there = (name: string) => known.has(name) || beside.some((folder) => existsSync(join(root, folder, name)));
    expect(names.filter((name) => !there(name))).toEqual([]);
  });
});
