/** JSON with keys in code-unit order, and bigints as decimal strings. Equal values give equal bytes. */
export function canonicalJson(value: unknown): string {
  return write(value) ?? "null";
}

/**
 * Undefined for values that JSON leaves out. This is our own code because sorting keys inside of JSON.stringify is several times slower.
 */
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

/** Compares by code units, so the order does not depend on the locale. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** A JSON object whose fields are not checked yet. */
export type JsonObject = Record<string, unknown>;

/** Whether a value is a JSON object: not null, no array, no scalar. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value as an object; undefined for null, arrays and scalars. */
export function readObject(value: unknown): JsonObject | undefined {
  return isJsonObject(value) ? value : undefined;
}

/** Parses JSON; undefined when the text is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
