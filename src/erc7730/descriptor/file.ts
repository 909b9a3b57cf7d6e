import { readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import type { ReportPart } from "../report.ts";
import { type DescriptorObject, isObject, mergeObjects, own } from "./json.ts";

/** Bytes of one descriptor; real ones stay under 500,000. */
const bytesMax = 2_000_000;
/** Levels of nesting of one descriptor; real ones stay under 12. */
const depthMax = 48;
/** Includes that follow one another. */
const includesMax = 8;

/**
 * Reads a descriptor and merges what it includes. Includes are read from inside of the folder `root` only; one that cannot be
 * read is reported, and the rest is used. Undefined when the file itself is no descriptor.
 */
export function readDescriptor(path: string, root: string, report: ReportPart): DescriptorObject | undefined {
  const read = (file: string, includedBy: readonly string[]): DescriptorObject => {
    const real = realpathSync(file);
    const object = readObject(real);
    const includes = own(object, "includes");
    if (includes === undefined) return object;
    try {
      const chain = [...includedBy, real];
      return mergeObjects(read(findIncluded(includes, chain, realpathSync(root)), chain), object);
    } catch (error) {
      report("/includes", (error as Error).message);
      return object;
    }
  };
  try {
    return read(path, []);
  } catch (error) {
    report("", (error as Error).message);
    return undefined;
  }
}

const outside = "an include outside of the folder is not read: import the folder that holds both";

/** The file that the last one of `chain` includes. Throws an Error with the reason when it is not followed. */
function findIncluded(includes: unknown, chain: readonly string[], root: string): string {
  if (typeof includes !== "string" || includes.length > 500 || includes.includes("\0"))
    throw new Error("an include that is no path");
  if (/^[a-z][a-z0-9+.-]*:/i.test(includes) || includes.startsWith("//"))
    throw new Error("an include from elsewhere is not fetched");
  const stated = join(dirname(chain.at(-1) ?? ""), includes);
  const isInside = (path: string): boolean => path.startsWith(root.endsWith(sep) ? root : `${root}${sep}`);
  // Check before the file system is asked: a report must not say what exists elsewhere.
  if (includes.startsWith("/") || !isInside(stated)) throw new Error(outside);
  let target: string;
  try {
    target = realpathSync(stated);
  } catch {
    throw new Error("the included file is not there");
  }
  if (!isInside(target)) throw new Error(outside);
  if (chain.includes(target)) throw new Error("includes go in a circle");
  if (chain.length > includesMax) throw new Error(`more than ${includesMax} includes follow one another`);
  return target;
}

/** The JSON object that a file holds. Throws an Error with the reason when it holds none, or too much. */
function readObject(path: string): DescriptorObject {
  const found = statSync(path);
  if (!found.isFile()) throw new Error("not a file");
  if (found.size > bytesMax) throw new Error(`the file has more than ${bytesMax} bytes`);
  let parsed: unknown;
  try {
    parsed = JSON.parse(readFileSync(path, "utf8"));
  } catch {
    throw new Error("the file is not JSON");
  }
  if (!isObject(parsed)) throw new Error("the file is not a JSON object");
  if (nestsDeeper(parsed, depthMax)) throw new Error(`the file nests deeper than ${depthMax} levels`);
  return parsed;
}

function nestsDeeper(value: unknown, levels: number): boolean {
  if (levels < 0) return true;
  return (
    value !== null && typeof value === "object" && Object.values(value).some((one) => nestsDeeper(one, levels - 1))
  );
}
