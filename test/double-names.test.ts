import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "./support/shared.ts";

/** A name that is exported more than once, with the files that do so. */
interface DoubleName {
  name: string;
  paths: string[];
}

const declaration =
  /^export (?:declare )?(?:abstract )?(?:async )?(?:function\*?|class|interface|type|const|let|enum) (\w+)/gm;

/** Names with two meanings. One file may export a type and a value of one name: that is one thing. */
function findDoubleNames(files: ReadonlyMap<string, string>): DoubleName[] {
  const places = new Map<string, Set<string>>();
  for (const [path, text] of files)
    for (const [, name = ""] of text.matchAll(declaration)) places.set(name, (places.get(name) ?? new Set()).add(path));
  return [...places]
    .filter(([, paths]) => paths.size > 1)
    .map(([name, paths]) => ({ name, paths: [...paths].sort() }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

function readSourceTexts(): Map<string, string> {
  const names = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".ts"),
  );
  return new Map(
    names.map((name) => [`src/${name.replaceAll("\\", "/")}`, readFileSync(join(root, "src", name), "utf8")]),
  );
}

describe("exported names", () => {
  it("have one meaning each", () => {
    // The names that the package shows to others are theirs: src/tools/library gives the product's own things simple
    // ones, and src/decide.ts is for scorers.
    const inner = [...readSourceTexts()].filter(
      ([path]) => !path.startsWith("src/tools/library/") && path !== "src/decide.ts",
    );
    const found = findDoubleNames(new Map(inner));
    expect(found.map(({ name, paths }) => `${name}: ${paths.join(", ")}`)).toEqual([]);
  });

  it("are found when two files export one", () => {
    const files = new Map([
      ["src/a.ts", "export interface Gate {}\nexport const one = 1;\nexport type one = 1;"],
      ["src/b.ts", "export async function gate() {}\nexport class Gate {}\n  export const one = 2;"],
    ]);
    expect(findDoubleNames(files)).toEqual([{ name: "Gate", paths: ["src/a.ts", "src/b.ts"] }]);
  });
});
