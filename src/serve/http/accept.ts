/** RFC 9110 section 12.5.1: the most specific range decides, weight 0 refuses. No header: everything. */
export function acceptsType(type: string): (header: string | undefined) => boolean {
  return (header) => header === undefined || weightOf(header, type) > 0;
}

export const acceptsJson = acceptsType("application/json");

/** Names JSON, HTML weighs no more. */
export function prefersJson(header: string | undefined): boolean {
  if (header === undefined || !/\bjson\b|application\/\*/i.test(header)) return false;
  return weightOf(header, "application/json") > namedWeight(header, "text/html");
}

/** Names HTML, JSON weighs no more. A range for everything is a program's. */
export function prefersPage(header: string | undefined): boolean {
  return header !== undefined && namedWeight(header, "text/html") > 0 && !prefersJson(header);
}

/** 0 where only a range for everything covers it. */
function namedWeight(header: string, type: string): number {
  return /text\/(?:html|\*)/i.test(header) ? weightOf(header, type) : 0;
}

/** 0 to 1. */
function weightOf(header: string, type: string): number {
  if (header.trim() === "") return 1;
  const family = `${type.slice(0, type.indexOf("/"))}/*`;
  let best = 0;
  let weight = 0;
  for (const item of header.split(",")) {
    const [range = "", ...parameters] = item.split(";");
    const named = range.trim().toLowerCase();
    // More specific first; others do not cover it.
    const rank = named === type ? 3 : named === family ? 2 : named === "*/*" ? 1 : 0;
    if (rank <= best) continue;
    best = rank;
    weight = readWeight(parameters);
  }
  return weight;
}

/** `q`; 1 if missing or malformed. */
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
