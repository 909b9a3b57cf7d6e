/** A JSON object of which nothing is known yet. */
export type JsonObject = Record<string, unknown>;

/** The value as an object; undefined for null, arrays and scalars. */
export function readObject(value: unknown): JsonObject | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined;
}

/** What the text says; undefined when it is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
