/** A mapping of a rule file, after its schema. */
export type SaidEntry = Record<string, unknown>;

export function isEntry(value: unknown): value is SaidEntry {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}

/** One thing needs no list. */
export function listed<T>(value: T | readonly T[] | undefined): readonly T[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value as T];
}

/** Without the fields that are undefined. */
export function stated(entry: SaidEntry): SaidEntry {
  return Object.fromEntries(Object.entries(entry).filter(([, value]) => value !== undefined));
}

export function mapEntry(entry: SaidEntry, change: (value: unknown, key: string) => unknown): SaidEntry {
  return Object.fromEntries(Object.entries(entry).map(([key, value]) => [key, change(value, key)]));
}
