/** An object of a descriptor. Read it through `own`, never through its prototype. */
export type DescriptorObject = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is DescriptorObject {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}

/** The own property of an object; undefined for anything else. */
export function own(value: unknown, key: string): unknown {
  return isObject(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

/**
 * ERC-7730 "Organizing files": two descriptors as one, where the including one decides; fields of one format are joined by their
 * path, others are appended.
 */
export function mergeObjects(included: DescriptorObject, including: DescriptorObject): DescriptorObject {
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
