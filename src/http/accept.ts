/**
 * Whether an Accept header allows `application/json` (RFC 9110 section 12.5.1). The most specific range that covers it decides, and a
 * weight of 0 refuses. A missing or empty header accepts everything.
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

/** More specific ranges have a higher rank. Others do not cover JSON. */
const ranks: Record<string, number> = { "*/*": 1, "application/*": 2, "application/json": 3 };

/** The `q` parameter. It is 1 when it is missing or malformed. */
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
