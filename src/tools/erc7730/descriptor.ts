import { readFileSync, realpathSync, statSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import { type DescriptorObject, isObject, orUnsupported, own, unsupported } from "./descriptor/part.ts";
import type { ReportPart } from "./report.ts";

/** Real ones stay under 500,000. */
const bytesMax = 2_000_000;
/** Real ones stay under 12. */
const depthMax = 48;
/** Length of a chain of includes. */
const includesMax = 8;

/** Includes are read from inside `root` only; one that cannot be read is reported. Undefined when `path` is no descriptor. */
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

/** `chain`: the files so far. Throws UnsupportedError for an include that is not followed. */
function findIncluded(includes: unknown, chain: readonly string[], root: string): string {
  if (typeof includes !== "string" || includes.length > 500 || includes.includes("\0"))
    unsupported("an include that is no path");
  if (/^[a-z][a-z0-9+.-]*:/i.test(includes) || includes.startsWith("//"))
    unsupported("an include from elsewhere is not fetched");
  const stated = join(dirname(chain.at(-1) ?? ""), includes);
  const isInside = (path: string): boolean => path.startsWith(root.endsWith(sep) ? root : `${root}${sep}`);
  // Check this before the file system is asked: a report must not reveal which files exist elsewhere.
  if (includes.startsWith("/") || !isInside(stated)) unsupported(outside);
  const target = orUnsupported("the included file is not there", () => realpathSync(stated));
  if (!isInside(target)) unsupported(outside);
  if (chain.includes(target)) unsupported("includes go in a circle");
  if (chain.length > includesMax) unsupported(`more than ${includesMax} includes follow one another`);
  return target;
}

/** Throws UnsupportedError: no JSON object, too large, or nested too deep. */
function readObject(path: string): DescriptorObject {
  const found = statSync(path);
  if (!found.isFile()) unsupported("not a file");
  if (found.size > bytesMax) unsupported(`the file has more than ${bytesMax} bytes`);
  const parsed = orUnsupported("the file is not JSON", () => JSON.parse(readFileSync(path, "utf8")) as unknown);
  if (!isObject(parsed)) unsupported("the file is not a JSON object");
  if (nestsDeeper(parsed, depthMax)) unsupported(`the file nests deeper than ${depthMax} levels`);
  return parsed;
}

function nestsDeeper(value: unknown, levels: number): boolean {
  if (levels < 0) return true;
  return (
    value !== null && typeof value === "object" && Object.values(value).some((one) => nestsDeeper(one, levels - 1))
  );
}

/** ERC-7730 "Organizing files": the including one wins; fields of a format are joined by path, others appended. */
function mergeObjects(included: DescriptorObject, including: DescriptorObject): DescriptorObject {
  const keys = new Set([...Object.keys(included), ...Object.keys(including)]);
  // `fromEntries` defines own properties, so a key `__proto__` is only a key.
  return Object.fromEntries(
    [...keys].map((key) => {
      const [below, above] = [own(included, key), own(including, key)];
      if (above === undefined) return [key, below];
      if (isObject(below) && isObject(above)) return [key, mergeObjects(below, above)];
      if (key === "fields" && Array.isArray(below) && Array.isArray(above)) return [key, mergeFields(below, above)];
      return [key, above];
    }),
  );
}

function mergeFields(included: readonly unknown[], including: readonly unknown[]): unknown[] {
  const above = new Map(including.map((field) => [own(field, "path"), field]));
  const below = new Set(included.map((field) => own(field, "path")));
  const joined = included.map((field) => {
    const path = own(field, "path");
    const other = above.get(path);
    return typeof path === "string" && isObject(field) && isObject(other) ? mergeObjects(field, other) : field;
  });
  const isNew = (path: unknown): boolean => path === undefined || !below.has(path);
  return [...joined, ...including.filter((field) => isNew(own(field, "path")))];
}
