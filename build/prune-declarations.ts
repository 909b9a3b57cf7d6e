import { readdirSync, readFileSync, rmSync } from "node:fs";
import { dirname, join, normalize } from "node:path";

/** Deletes the declarations that nothing public refers to. Throws when one that is referred to is missing. */
export function pruneDeclarations(dist: string, entries: readonly string[]): void {
  const kept = new Set<string>();
  const keep = (path: string): void => {
    if (kept.has(path)) return;
    kept.add(path);
    const text = readFileSync(join(dist, path), "utf8");
    for (const [, target = ""] of text.matchAll(/(?:from |import\()"(\.[^"]+\.[jt]s)"/g))
      keep(normalize(join(dirname(path), target)).replace(/(?:\.d)?\.[jt]s$/, ".d.ts"));
  };
  entries.forEach(keep);
  for (const path of readdirSync(dist, { recursive: true, encoding: "utf8" }))
    if (path.endsWith(".d.ts") && !kept.has(path)) rmSync(join(dist, path));
}
