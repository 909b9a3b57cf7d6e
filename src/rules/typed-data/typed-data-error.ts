/** Malformed, or for another chain. The message is for the caller and names the place. */
export class TypedDataError extends Error {
  override readonly name = "TypedDataError";
  readonly code: "invalid_typed_data" | "other_chain";

  constructor(code: TypedDataError["code"], message: string) {
    super(message);
    this.code = code;
  }
}

/** Throws `invalid_typed_data`. */
export function refuseData(problem: string): never {
  throw new TypedDataError("invalid_typed_data", `The typed data cannot be read: ${problem}.`);
}

function wordOf(value: unknown): string {
  if (value === null || value === undefined) return "nothing";
  if (typeof value === "object") return Array.isArray(value) ? "a list" : "an object";
  return String(value);
}

/** A caller's text, short, printable ASCII, on one line. */
export function shownValue(value: unknown): string {
  const text = wordOf(value);
  const plain = text.replace(/[^\x20-\x7e]|[`\\]/g, "?");
  return `\`${plain.length > 60 ? `${plain.slice(0, 57)}...` : plain}\``;
}
