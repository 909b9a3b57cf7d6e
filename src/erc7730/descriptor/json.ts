/** JSON of a third party: read through own properties only, never through prototypes. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Nesting that a descriptor may have; real ones stay under 12. */
const depthMax = 48;

export function isObject(value: unknown): value is JsonObject {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}

/** The own property of an object; undefined for anything else. */
export function own(value: unknown, key: string): unknown {
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/** The own property at the end of a list of keys. */
export function ownAt(value: unknown, ...keys: string[]): unknown {
  return keys.reduce<unknown>(own, value);
}

/** An object of JSON text; throws an Error with a sentence when it is none, or nests too deep. */
export function parseObject(text: string): JsonObject {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw new Error("the file is not JSON");
  }
  if (!isObject(parsed)) throw new Error("the file is not a JSON object");
  if (nestsDeeper(parsed)) throw new Error(`the file nests deeper than ${depthMax} levels`);
  return parsed;
}

/** Level by level, so that no nesting exhausts the stack. */
function nestsDeeper(root: unknown): boolean {
  let level: unknown[] = [root];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > depthMax) return true;
    level = level.flatMap((value) => (value !== null && typeof value === "object" ? Object.values(value) : []));
  }
  return false;
}

/**
 * ERC-7730 "Organizing files": two descriptors as one, where the including one decides; fields of one format are joined by their
 * path, others are appended.
 */
export function mergeObjects(included: JsonObject, including: JsonObject): JsonObject {
  const keys = new Set([...Object.keys(included), ...Object.keys(including)]);
  // fromEntries defines own properties: a key `__proto__` stays a key.
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
  const above = new Map(
    including.flatMap((field) => (typeof own(field, "path") === "string" ? [[own(field, "path"), field]] : [])),
  );
  const paths = new Set(included.map((field) => own(field, "path")));
  const joined = included.map((field) => {
    const other = above.get(own(field, "path"));
    return isObject(field) && isObject(other) ? mergeObjects(field, other) : field;
  });
  return [
    ...joined,
    ...including.filter((field) => own(field, "path") === undefined || !paths.has(own(field, "path"))),
  ];
}
