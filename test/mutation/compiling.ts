import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Change, withChange } from "./change.ts";

/**
 * The first `count` changes that the compiler accepts. A change that it refuses is noticed before any test runs, so it says nothing about
 * tests. Changes of different files are compiled together.
 */
export function compiling(
  tree: string,
  texts: ReadonlyMap<string, string>,
  drawn: Iterable<Change>,
  count: number,
): Change[] {
  const accepted: Change[] = [];
  const waiting = drawn[Symbol.iterator]();
  for (let ended = false; !ended && accepted.length < count; ) {
    const batch: Change[] = [];
    const room = Math.max(5, Math.ceil((count - accepted.length) * 1.5));
    while (batch.length < room && !ended) {
      const next = waiting.next();
      if (next.done) ended = true;
      else batch.push(next.value);
    }
    accepted.push(...acceptedOf(tree, texts, batch));
  }
  return accepted.slice(0, count);
}

/** Each round compiles one change of each file. */
function acceptedOf(tree: string, texts: ReadonlyMap<string, string>, batch: readonly Change[]): Change[] {
  const accepted = new Set<Change>();
  const byFile = [...Map.groupBy(batch, ({ path }) => path).values()];
  for (let turn = 0; byFile.some((changes) => changes.length > turn); turn++) {
    const round = byFile.flatMap((changes) => changes.slice(turn, turn + 1));
    for (const change of round)
      writeFileSync(join(tree, change.path), withChange(texts.get(change.path) as string, change));
    const refused = refusedFiles(tree);
    for (const change of round) {
      writeFileSync(join(tree, change.path), texts.get(change.path) as string);
      if (!refused.has(change.path)) accepted.add(change);
    }
  }
  return batch.filter((change) => accepted.has(change));
}

/** Files of src in which the compiler finds an error. */
function refusedFiles(tree: string): Set<string> {
  const tsc = join(tree, "node_modules/typescript-compiler/bin/tsc");
  writeFileSync(join(tree, "tsconfig.src.json"), JSON.stringify({ extends: "./tsconfig.json", include: ["src"] }));
  const { stdout } = spawnSync(process.execPath, [tsc, "-p", "tsconfig.src.json", "--pretty", "false"], {
    cwd: tree,
    encoding: "utf8",
  });
  return new Set([...stdout.matchAll(/^(src\/[^(\n]+)\(\d+,\d+\): error/gm)].map(([, path = ""]) => path));
}
