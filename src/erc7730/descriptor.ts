import { readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import type { Listing } from "./finding.ts";
import { type JsonObject, mergeObjects, own, parseObject } from "./json-tree.ts";

/** Bytes of one descriptor; real ones stay under 500,000. */
const bytesMax = 2_000_000;
/** Includes that follow one another. */
const includesMax = 8;

/**
 * Reads a descriptor and merges what it includes. Includes are read from inside of the folder `root` only; one that cannot be
 * read is listed, and the rest is used. Undefined when the file itself is no descriptor.
 */
export function readDescriptor(path: string, root: string, list: Listing): JsonObject | undefined {
  try {
    return withIncludes(path, [], { root: realpathSync(root), list });
  } catch (error) {
    list("", (error as Error).message);
    return undefined;
  }
}

interface Walk {
  root: string;
  list: Listing;
}

function withIncludes(path: string, above: readonly string[], walk: Walk): JsonObject {
  const real = realpathSync(path);
  const object = readObject(real);
  const includes = own(object, "includes");
  if (includes === undefined) return object;
  try {
    const target = follow(includes, real, [...above, real], walk.root);
    return mergeObjects(withIncludes(target, [...above, real], walk), object);
  } catch (error) {
    walk.list("/includes", (error as Error).message);
    return object;
  }
}

const outside = "an include outside of the folder is not read: import the folder that holds both";

/** The file that is included. Throws an Error with the reason when it is not followed. */
function follow(includes: unknown, from: string, above: readonly string[], root: string): string {
  if (typeof includes !== "string" || includes.length > 500 || includes.includes("\0"))
    throw new Error("an include that is no path");
  if (/^[a-z][a-z0-9+.-]*:/i.test(includes) || includes.startsWith("//"))
    throw new Error("an include from elsewhere is not fetched");
  const stated = join(dirname(from), includes);
  const inside = (path: string): boolean => path.startsWith(root.endsWith(sep) ? root : `${root}${sep}`);
  // Before anything is looked up: a report must not say what there is elsewhere.
  if (includes.startsWith("/") || !inside(stated)) throw new Error(outside);
  let target: string;
  try {
    target = realpathSync(stated);
  } catch {
    throw new Error("the included file is not there");
  }
  if (!inside(target)) throw new Error(outside);
  if (above.includes(target)) throw new Error("includes go in a circle");
  if (above.length > includesMax) throw new Error(`more than ${includesMax} includes follow one another`);
  return target;
}

function readObject(path: string): JsonObject {
  const found = statSync(path);
  if (!found.isFile()) throw new Error("not a file");
  if (found.size > bytesMax) throw new Error(`the file has more than ${bytesMax} bytes`);
  return parseObject(readFileSync(path, "utf8"));
}
