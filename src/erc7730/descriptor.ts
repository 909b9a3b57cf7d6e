import { readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Listing, printable } from "./finding.ts";
import { type JsonObject, mergeObjects, own, parseObject } from "./json-tree.ts";

/** Bytes of one descriptor; real ones stay under 200,000. */
const bytesMax = 2_000_000;
/** Includes that follow one another. */
const includesMax = 8;

/**
 * Reads a descriptor and merges what it includes. Includes are read from the descriptor's own folder only; one that cannot be
 * read is listed, and the rest is used. Undefined when the file itself is no descriptor.
 */
export function readDescriptor(path: string, list: Listing): JsonObject | undefined {
  try {
    return withIncludes(path, [], list);
  } catch (error) {
    list("", (error as Error).message);
    return undefined;
  }
}

function withIncludes(path: string, above: readonly string[], list: Listing): JsonObject {
  const real = realpathSync(path);
  const root = readObject(real);
  const includes = own(root, "includes");
  if (includes === undefined) return root;
  const problem = refuse(includes, real, [...above, real]);
  if (problem !== undefined) {
    list(`includes ${printable(includes)}`, problem);
    return root;
  }
  try {
    const below = withIncludes(join(dirname(real), includes as string), [...above, real], list);
    return mergeObjects(below, root);
  } catch (error) {
    list(`includes ${printable(includes)}`, (error as Error).message);
    return root;
  }
}

/** Why an include is not followed; undefined when it may be. */
function refuse(includes: unknown, from: string, above: readonly string[]): string | undefined {
  if (typeof includes !== "string" || !/^(?:\.\/)?[\w][\w. -]{0,127}\.json$/.test(includes))
    return "an include outside of the descriptor's folder is not read";
  let target: string;
  try {
    target = realpathSync(join(dirname(from), includes));
  } catch {
    return "the included file is not there";
  }
  if (dirname(target) !== dirname(from)) return "an include outside of the descriptor's folder is not read";
  if (above.includes(target)) return "includes go in a circle";
  if (above.length > includesMax) return `more than ${includesMax} includes follow one another`;
  return undefined;
}

function readObject(path: string): JsonObject {
  const found = statSync(path);
  if (!found.isFile()) throw new Error("not a file");
  if (found.size > bytesMax) throw new Error(`the file has more than ${bytesMax} bytes`);
  return parseObject(readFileSync(path, "utf8"));
}
