/**
 * Whether an Accept header lets `application/json` through (RFC 9110 section 12.5.1): the most specific range that
 * covers it decides, and a weight of 0 refuses. An absent or empty header accepts everything.
 */
export function acceptsJson(header: string | undefined): boolean {
  if (header === undefined || header === "*/*" || header === "application/json") return true;
  if (header.trim() === "") return true;
  let best = 0;
  let weight = 0;
  for (const item of header.split(",")) {
    const [range = "", ...parameters] = item.split(";");
    const rank = ranks[range.trim().toLowerCase()] ?? 0;
    if (rank <= best) continue;
    best = rank;
    weight = readWeight(parameters);
  }
  return weight > 0;
}

/** More specific is higher; anything else does not cover JSON. */
const ranks: Record<string, number> = { "*/*": 1, "application/*": 2, "application/json": 3 };

/** The `q` parameter; 1 when absent or malformed, so that a sloppy client is served rather than refused. */
function readWeight(parameters: string[]): number {
  for (const parameter of parameters) {
    const found = /^\s*q\s*=\s*([0-9.]+)\s*$/i.exec(parameter);
    if (found !== null) {
      const weight = Number(found[1]);
      return Number.isNaN(weight) ? 1 : weight;
    }
  }
  return 1;
}
