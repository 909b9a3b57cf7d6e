/** JSON with keys in code-unit order and bigints as decimal strings: equal values give equal bytes. */
export function canonicalJson(value: unknown): string {
  return write(value) ?? "null";
}

/** Undefined for values that JSON leaves out of objects. Our own code, because sorting inside JSON.stringify is several times slower. */
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

/** Code-unit order: the same everywhere, whatever the locale. */
export function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** A JSON object of which nothing is known yet. */
export type JsonObject = Record<string, unknown>;

/** False for null, arrays and scalars. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The value as an object; undefined for null, arrays and scalars. */
export function readObject(value: unknown): JsonObject | undefined {
  return isJsonObject(value) ? value : undefined;
}

/** What the text says; undefined when it is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
