/** JSON with keys in code-unit order and bigints as decimal strings: equal values give equal bytes. */
export function canonicalJson(value: unknown): string {
  return write(value) ?? "null";
}

/** Undefined for what JSON leaves out. Own code: sorting keys inside JSON.stringify is several times slower. */
function write(value: unknown): string | undefined {
  if (typeof value === "string") return JSON.stringify(value);
  if (typeof value === "bigint") return `"${value}"`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((item) => write(item) ?? "null").join(",")}]`;
  const source = value as Record<string, unknown>;
  let members = "";
  for (const key of Object.keys(source).sort()) {
    const text = write(source[key]);
    if (text !== undefined) members += `${members === "" ? "" : ","}${JSON.stringify(key)}:${text}`;
  }
  return `{${members}}`;
}

/** Compares by code units, independent of the locale. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** Fields are not checked yet. */
export type JsonObject = Record<string, unknown>;

/** Not null, no array, no scalar. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function readObject(value: unknown): JsonObject | undefined {
  return isJsonObject(value) ? value : undefined;
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
