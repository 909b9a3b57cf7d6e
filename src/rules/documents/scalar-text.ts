/**
 * The position of a character of a scalar's text in its YAML source, quotes included. Undefined where the source has several lines. `index`
 * may be one past the last character.
 */
export function rawOffset(raw: string, index: number): number | undefined {
  const quote = raw[0];
  if (raw.trimEnd().includes("\n")) return undefined;
  if (quote !== '"' && quote !== "'") return index;
  let at = 1;
  for (let i = 0; i < index; ) {
    const size = quote === "'" ? (raw[at] === "'" ? 2 : 1) : escapeSize(raw, at);
    // A \U escape above U+FFFF is two UTF-16 units of text.
    i += size === 10 && Number.parseInt(raw.slice(at + 2, at + 10), 16) > 0xffff ? 2 : 1;
    at += size;
  }
  return at;
}

/** The length of the escape sequence at a position (YAML 1.2, 5.7); 1 when there is none. */
function escapeSize(raw: string, at: number): number {
  if (raw[at] !== "\\") return 1;
  const digits = { x: 2, u: 4, U: 8 }[raw[at + 1] ?? ""] ?? 0;
  return 2 + digits;
}
