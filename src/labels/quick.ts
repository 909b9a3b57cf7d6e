/**
 * Reads the plain part of YAML that label files are written in: block mappings and sequences, one-line `{ }` and `[ ]`,
 * and scalars that need no second look. Undefined when the text uses anything else; the YAML library then decides.
 * It is here for the start-up: the library takes some 70 ms for the shipped labels, this some 5 ms. What it reads, the
 * library reads alike; a property test holds them equal.
 */
export function readQuickly(text: string): { data: unknown } | undefined {
  // Tabs, carriage returns, and what only Unicode calls a space or a line end: YAML and JavaScript differ over them.
  if (/[^\n\x20-\x7e₮€]/.test(text)) return undefined;
  const lines: Line[] = [];
  for (const line of text.split("\n")) {
    const body = line.trimStart();
    if (body !== "" && !body.startsWith("#")) lines.push({ indent: line.length - body.length, body: body.trimEnd() });
  }
  const cursor: Cursor = { lines, at: 0 };
  try {
    if (lines[0]?.indent !== 0) return undefined;
    const data = readBlock(cursor, 0);
    return cursor.at === lines.length ? { data } : undefined;
  } catch (error) {
    if (error === unsupported) return undefined;
    throw error;
  }
}

interface Line {
  indent: number;
  body: string;
}

interface Cursor {
  lines: Line[];
  at: number;
}

const unsupported = new Error("not in the plain part of YAML");

/** `key:` alone, or `key: value`; a key is a word or a decimal number. */
const entryPattern = /^([A-Za-z][A-Za-z0-9_-]*|0|[1-9][0-9]{0,14}|[1-8][0-9]{15}):(?: (.+))?$/;
const pairPattern = / *([A-Za-z][A-Za-z0-9_-]*|0|[1-9][0-9]{0,14}|[1-8][0-9]{15}): +("[^"]*"|[^",{}[\]]+?) *(?:,|$)/y;
const itemPattern = / *("[^"]*"|[^",{}[\]]+?) *(?:,|$)/y;
/** No escapes. */
const quotedPattern = /^"([^"\\]*)"$/;
/** What YAML reads as no text, and spellings of it that readers differ over. */
const literalPattern = /^(?:null|true|false)$/i;
/** Starts with a letter, so no number; without `:`, `#`, quotes, brackets or a comma, so nothing but text. */
const plainPattern = /^[A-Za-z][A-Za-z0-9 ._+/()$-]*$/;

function readBlock(cursor: Cursor, indent: number): unknown {
  return cursor.lines[cursor.at]?.body.startsWith("- ") ? readSequence(cursor, indent) : readMapping(cursor, indent);
}

function readMapping(cursor: Cursor, indent: number): Record<string, unknown> {
  const data: Record<string, unknown> = Object.create(null);
  for (let line = cursor.lines[cursor.at]; line?.indent === indent; line = cursor.lines[cursor.at]) {
    const found = entryPattern.exec(line.body);
    const key = found?.[1];
    if (key === undefined || literalPattern.test(key) || key in data) throw unsupported;
    cursor.at++;
    data[key] = found?.[2] === undefined ? readNested(cursor, indent) : readInline(found[2]);
  }
  return refuseDeeper(cursor, indent, data);
}

function readSequence(cursor: Cursor, indent: number): unknown[] {
  const data: unknown[] = [];
  for (let line = cursor.lines[cursor.at]; line?.indent === indent; line = cursor.lines[cursor.at]) {
    if (!line.body.startsWith("- ")) throw unsupported;
    const rest = line.body.slice(2);
    if (entryPattern.test(rest)) {
      // `- key: value`: the mapping starts behind the dash.
      cursor.lines[cursor.at] = { indent: indent + 2, body: rest };
      data.push(readMapping(cursor, indent + 2));
    } else {
      cursor.at++;
      data.push(readInline(rest));
    }
  }
  return refuseDeeper(cursor, indent, data);
}

function readNested(cursor: Cursor, indent: number): unknown {
  const next = cursor.lines[cursor.at];
  if (next === undefined || next.indent <= indent) throw unsupported;
  return readBlock(cursor, next.indent);
}

/** A line further in than its block goes on with a scalar or is a mistake. */
function refuseDeeper<T>(cursor: Cursor, indent: number, data: T): T {
  if ((cursor.lines[cursor.at]?.indent ?? 0) > indent) throw unsupported;
  return data;
}

function readInline(text: string): unknown {
  if (text.startsWith("{ ") && text.endsWith(" }")) {
    const data: Record<string, unknown> = Object.create(null);
    for (const [, key = "", value = ""] of scan(pairPattern, text.slice(2, -2))) {
      if (literalPattern.test(key) || key in data) throw unsupported;
      data[key] = readScalar(value);
    }
    return data;
  }
  if (text.startsWith("[") && text.endsWith("]")) {
    return scan(itemPattern, text.slice(1, -1)).map(([, item = ""]) => readScalar(item));
  }
  return readScalar(text);
}

/** Every match, end to end: what lies between matches, and a comma at the end, is unsupported. */
function scan(pattern: RegExp, text: string): RegExpExecArray[] {
  const found: RegExpExecArray[] = [];
  pattern.lastIndex = 0;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    found.push(match);
    if (pattern.lastIndex === text.length) break;
  }
  if (pattern.lastIndex !== text.length || text.endsWith(",") || found.length === 0) throw unsupported;
  return found;
}

function readScalar(text: string): unknown {
  const quoted = quotedPattern.exec(text);
  if (quoted !== null) return quoted[1];
  if (/^(?:0|[1-9][0-9]{0,14})$/.test(text)) return Number(text);
  if (text === "true" || text === "false") return text === "true";
  if (!plainPattern.test(text) || literalPattern.test(text)) throw unsupported;
  return text;
}
