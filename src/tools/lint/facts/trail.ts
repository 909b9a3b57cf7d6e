/** From the inside out: line or keys, what encloses them, last the file's own path. */
export type FileTrail = readonly string[];

/** Characters beside an address on a line; minified files have only one line. */
const besideCharsMax = 240;

/** JSON is read by structure, documents by headings. */
const jsonFile = /\.json$/i;
const headingFile = /\.(?:mdx?|rst|txt)$/i;

/** Trails by lower-case address. */
export function findTrails(text: string, path: string): ReadonlyMap<string, readonly FileTrail[]> {
  const found = new Map<string, FileTrail[]>();
  const add = (address: string, trail: FileTrail): void => {
    const key = address.toLowerCase();
    const known = found.get(key);
    if (known === undefined) found.set(key, [trail]);
    else known.push(trail);
  };
  if (!jsonFile.test(path) || !readJson(text, path, add)) readLines(text, path, add);
  return found;
}

const addresses = /0x[0-9a-fA-F]{40}(?![0-9a-fA-F])/g;

type Add = (address: string, trail: FileTrail) => void;

function readLines(text: string, path: string, add: Add): void {
  const lines = text.split(/\r?\n/);
  lines.forEach((line, i) => {
    const matches = [...line.matchAll(addresses)];
    if (matches.length === 0) return;
    const around = [...neighbours(lines, i), ...enclosing(lines, i, path), path];
    for (const { 0: address, index } of matches) {
      const beside = line.slice(Math.max(0, index - besideCharsMax), index + besideCharsMax);
      add(address, [beside, ...around]);
    }
  });
}

/** Keys from the inside out, each with short values of the object. False: no JSON. */
function readJson(text: string, path: string, add: Add): boolean {
  let root: unknown;
  try {
    root = JSON.parse(text);
  } catch {
    return false;
  }
  const visit = (node: unknown, trail: FileTrail): void => {
    if (typeof node === "string") for (const [address] of node.matchAll(addresses)) add(address, [...trail, path]);
    if (node === null || typeof node !== "object") return;
    const list = Array.isArray(node);
    const beside = list ? [] : [besideOf(node)];
    for (const [key, value] of Object.entries(node)) {
      if (!list) for (const [address] of key.matchAll(addresses)) add(address, [...beside, ...trail, path]);
      visit(value, list ? trail : [`${key}:`, ...beside, ...trail]);
    }
  };
  visit(root, []);
  return true;
}

function besideOf(node: object): string {
  const short = Object.entries(node).filter(([, value]) => typeof value !== "object" && String(value).length <= 64);
  return short
    .slice(0, 24)
    .map(([key, value]) => `${key}=${JSON.stringify(value)}`)
    .join(", ");
}

/** Lines that name a chain, such as `chainId: 10,`; up to 6 before and after. */
function neighbours(lines: readonly string[], at: number): string[] {
  const depth = indentOf(lines[at] ?? "");
  const near: string[] = [];
  for (const step of [-1, 1])
    for (let i = at + step; Math.abs(i - at) <= 6; i += step) {
      const line = lines[i];
      if (line === undefined || line.trim() === "" || indentOf(line) !== depth || depth === 0) break;
      if (/chain|network/i.test(line) && !/0x[0-9a-f]{40}/i.test(line)) near.push(line.trim());
    }
  return near;
}

/** Less and less indented lines above; in documents also headings. */
function enclosing(lines: readonly string[], at: number, path: string): string[] {
  const around: string[] = [];
  let depth = indentOf(lines[at] ?? "");
  let rank = 7;
  const headings = headingFile.test(path);
  for (let i = at - 1; i >= 0 && (depth > 0 || headings) && rank > 1; i--) {
    const line = lines[i] as string;
    const marks = headings ? (/^(#{1,6})\s/.exec(line)?.[1]?.length ?? 0) : 0;
    if (marks > 0 && marks < rank) {
      rank = marks;
      around.push(line.trim());
    } else if (indentOf(line) < depth && /[\w"'#]/.test(line)) {
      depth = indentOf(line);
      around.push(line.trim().slice(0, besideCharsMax));
    }
  }
  return around;
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

/** Matches whole words. */
export function names(trail: FileTrail, part: string): boolean {
  const sought = ` ${wordsOf(part).join(" ")} `;
  return trail.some((text) => ` ${wordsOf(text).join(" ")} `.includes(sought));
}

/** `AaveV3Base`: aave, v3 and base. */
export function wordsOf(text: string): string[] {
  const apart = text.replace(/([a-z0-9])([A-Z])/g, "$1 $2").replace(/([A-Z]+)([A-Z][a-z])/g, "$1 $2");
  return apart.toLowerCase().match(/[a-z0-9]+/g) ?? [];
}
