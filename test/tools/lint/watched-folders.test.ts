import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { watchedFolders } from "../../../src/tools/lint/sources.ts";

const dir = mkdtempSync(join(tmpdir(), "txgloss-watched-"));
for (const folder of ["names/inner", "names-too"]) mkdirSync(join(dir, folder), { recursive: true });
for (const file of ["names/a.yaml", "names/inner/b.yaml"]) writeFileSync(join(dir, file), "");
afterAll(() => rmSync(dir, { recursive: true }));

const watched = (...paths: string[]) =>
  watchedFolders(paths.map((path) => (path.startsWith("-") ? path : join(dir, path)))).map((path) =>
    path.slice(dir.length + 1),
  );

describe("the folders that are watched", () => {
  it.each<[string[], string[]]>([
    [["names"], ["names"]],
    [["names", "names"], ["names"]],
    [["names/inner"], ["names/inner"]],
    [["names/a.yaml"], ["names"]],
    [["names/inner/b.yaml", "names/a.yaml"], ["names"]],
    [["names", "names/inner"], ["names"]],
    // A name that begins alike is another folder.
    [
      ["names", "names-too"],
      ["names", "names-too"],
    ],
    [["--watch", "names-too", "not-there"], ["names-too"]],
  ])("of %j are %j", (paths, folders) => {
    expect(watched(...paths)).toEqual(folders);
  });

  it("are the usual ones where no path is given", () => {
    expect(watchedFolders(["--watch"])).toEqual(["rules", "labels"].map((name) => join(process.cwd(), name)));
  });
});
