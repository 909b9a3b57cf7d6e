/**
 * Whether an Accept header allows `application/json` (RFC 9110 section 12.5.1). The most specific range that covers the type decides, and a
 * weight of 0 refuses it. A missing or empty header accepts everything.
 */
export function acceptsJson(header: string | undefined): boolean {
  if (header === undefined || header === "*/*" || header === "application/json") return true;
  return weightOf(header, "application/json") > 0;
}

/** As {@link acceptsJson} for another media type, such as `text/html`. */
export function acceptsType(type: string): (header: string | undefined) => boolean {
  return (header) => header === undefined || weightOf(header, type) > 0;
}

/** Whether a caller wants JSON where a path also has a page: the header names JSON, and HTML has no greater weight. */
export function prefersJson(header: string | undefined): boolean {
  if (header === undefined || !/\bjson\b|application\/\*/i.test(header)) return false;
  return weightOf(header, "application/json") > namedWeight(header, "text/html");
}

/** Whether the caller is a browser: the header names HTML, and does not prefer JSON. A header that accepts anything is a program's. */
export function prefersPage(header: string | undefined): boolean {
  return header !== undefined && namedWeight(header, "text/html") > 0 && !prefersJson(header);
}

/** The weight of a type; 0 where only a range that covers everything names the type. */
function namedWeight(header: string, type: string): number {
  return /text\/(?:html|\*)/i.test(header) ? weightOf(header, type) : 0;
}

/** The weight of a type in a header, from 0 to 1. */
function weightOf(header: string, type: string): number {
  if (header.trim() === "") return 1;
  const family = `${type.slice(0, type.indexOf("/"))}/*`;
  let best = 0;
  let weight = 0;
  for (const item of header.split(",")) {
    const [range = "", ...parameters] = item.split(";");
    const named = range.trim().toLowerCase();
    // More specific ranges have a higher rank. Others do not cover the type.
    const rank = named === type ? 3 : named === family ? 2 : named === "*/*" ? 1 : 0;
    if (rank <= best) continue;
    best = rank;
    weight = readWeight(parameters);
  }
  return weight;
}

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
