import { counted } from "../../kernel/amount.ts";

/** Worded for a reader who does not know the YAML specification. */
export interface SyntaxMistake {
  /** Offsets; `end` is exclusive. */
  at: readonly [start: number, end: number];
  message: string;
  help: string;
}

export interface ParserError {
  code: string;
  message: string;
  pos: readonly [start: number, end: number];
}

/**
 * Works from the parser's first error: the parser reports every token after a mistake, in its own terms. The surest signs are tested first.
 */
export function findSyntaxMistake(text: string, first: ParserError): SyntaxMistake {
  const start = Math.min(first.pos[0], text.length);
  const lines = splitLines(text);
  const here = lines.findLast((line) => line.start <= start) ?? { start: 0, text: "", indent: 0 };
  return (
    tabIn(lines) ??
    openQuote(lines, first) ??
    openBracket(text, start, first) ??
    strangeBlank(here) ??
    colonWithoutBlank(lines, here, first) ??
    missingColon(here, first) ??
    wrongIndent(lines, here) ??
    unquotedText(here) ?? {
      at: first.pos,
      message: "the text is not YAML: nothing can be read from here on",
      help: "Compare this line and the one above with lines that work: a quote, a bracket, a comma, a colon or the indent is wrong.",
    }
  );
}

interface Line {
  /** Offset. */
  start: number;
  text: string;
  indent: number;
}

function splitLines(text: string): Line[] {
  let start = 0;
  return text.split("\n").map((line) => {
    const own = { start, text: line.replace(/\r$/, ""), indent: line.search(/[^ ]|$/) };
    start += line.length + 1;
    return own;
  });
}

function tabIn(lines: readonly Line[]): SyntaxMistake | undefined {
  for (const { start, text } of lines) {
    const [, before = "", tabs] = /^( *)(\t+)\s*\S/.exec(text) ?? [];
    if (tabs === undefined) continue;
    const at = start + before.length;
    return {
      at: [at, at + tabs.length],
      message: "the text is not YAML: the line is indented with a tab; spaces were expected",
      help: "YAML indents with spaces only, here two for each level. Editors can be told to insert spaces for the tab key.",
    };
  }
  return undefined;
}

/** The parser notices it only at the end. The quote opens in the last line with one that nothing closes. */
function openQuote(lines: readonly Line[], first: ParserError): SyntaxMistake | undefined {
  const quote = /Missing closing (["'])quote/.exec(first.message)?.[1];
  if (quote === undefined) return undefined;
  const opens = new RegExp(`(?<=[\\s:,{[]|^)${quote}[^${quote}]*$`);
  const line = lines.findLast((one) => one.start <= first.pos[0] && opens.test(one.text));
  return {
    at: line === undefined ? first.pos : [line.start + line.text.search(opens), line.start + line.text.length],
    message: "the text is not YAML: the quote that opens here is not closed",
    help: `Put ${quote === '"' ? "a double" : "a single"} quote at the end of the text.`,
  };
}

/** Also finds a missing comma inside. */
function openBracket(text: string, start: number, first: ParserError): SyntaxMistake | undefined {
  const opening = openAt(text, start);
  if (/BLOCK_IN_FLOW|FLOW.*COMMA/.test(first.code) || /Missing , between/.test(first.message))
    return {
      at: first.pos,
      message: "the text is not YAML: two entries stand here without a comma between them",
      help: "Entries inside { } and [ ] are separated by commas: `{ from: subject, to: pool }`.",
    };
  if (!/must be sufficiently indented|must end with a|Expected flow/.test(first.message) || opening === undefined)
    return undefined;
  const closing = text[opening] === "{" ? "}" : "]";
  return {
    at: [opening, opening + 1],
    message: `the text is not YAML: the \`${text[opening]}\` that opens here is not closed; \`${closing}\` was expected`,
    help: `Put \`${closing}\` behind the last entry.`,
  };
}

/** Innermost, outside of quotes and comments. */
function openAt(text: string, end: number): number | undefined {
  const open: number[] = [];
  const tokens = /"(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|(?<=^|\s)#.*$|[{}[\]]/gm;
  for (const { 0: token, index } of text.slice(0, end).matchAll(tokens))
    if (token === "{" || token === "[") open.push(index);
    else if (token === "}" || token === "]") open.pop();
  return open.at(-1);
}

function colonWithoutBlank(lines: readonly Line[], here: Line, first: ParserError): SyntaxMistake | undefined {
  if (!/IMPLICIT_KEY|MISSING_CHAR|UNEXPECTED/.test(first.code)) return undefined;
  const at = lines.indexOf(here);
  for (const line of [here, lines[at - 1], lines[at + 1]]) {
    const [, before, key] = /^(\s*(?:- )?)([A-Za-z_][\w-]*):(?=[^\s:/])/.exec(line?.text ?? "") ?? [];
    if (line === undefined || before === undefined || key === undefined) continue;
    const start = line.start + before.length;
    return {
      at: [start, line.start + line.text.trimEnd().length],
      message: `the text is not YAML: a blank is missing after the colon of \`${key}:\``,
      help: `Write \`${key}: \` and then the value.`,
    };
  }
  return undefined;
}

/** Copied from web pages, perhaps. */
function strangeBlank({ start, text }: Line): SyntaxMistake | undefined {
  const [before] =
    /^(?: *|\s*(?:- )?[\w-]+:\s*)(?=[\u00a0\u1680\u2000-\u200f\u202f\u205f\u2060\u3000\ufeff])/.exec(text) ?? [];
  if (before === undefined) return undefined;
  const at = start + before.length;
  const code = (text.codePointAt(before.length) as number).toString(16).toUpperCase().padStart(4, "0");
  return {
    at: [at, at + 1],
    message: `the text is not YAML: a character stands here that only looks like a blank (U+${code}); a blank was expected`,
    help: "It came along with copied text. Delete it, and type a blank with the space bar.",
  };
}

function missingColon({ start, text }: Line, first: ParserError): SyntaxMistake | undefined {
  if (!/^(?:MULTILINE_IMPLICIT_KEY|MISSING_CHAR)$/.test(first.code)) return undefined;
  // A single word may be meant as an item of a list.
  const [, before, key] = /^(\s*(?:- (?=\S+ ))?)([A-Za-z_][\w-]*)(?: +[^\s:,{["'#]+){0,3}\s*$/.exec(text) ?? [];
  if (before === undefined || key === undefined) return undefined;
  const at = start + before.length;
  return {
    at: [at, start + text.trimEnd().length],
    message: `the text is not YAML: a colon is missing behind \`${key}\``,
    help: `Write \`${key}: \` and then the value.`,
  };
}

/** Deeper than the value above allows, or at a depth of none of the lines around. */
function wrongIndent(lines: readonly Line[], here: Line): SyntaxMistake | undefined {
  const last = lines.indexOf(here) + 1;
  /** Indents that are open. `complete`: the last line has its value. */
  let open: number[] = [0];
  let complete = false;
  for (const [i, line] of lines.entries()) {
    if (i > last) return undefined;
    const content = line.text.slice(line.indent);
    if (content === "" || content.startsWith("#")) continue;
    const deepest = open.at(-1) as number;
    if (line.indent > deepest && complete) return indentMistake(line, [deepest]);
    if (line.indent < deepest && !open.includes(line.indent))
      return indentMistake(line, open.filter((indent) => indent > 0).slice(-2));
    open = [...open.filter((indent) => indent < line.indent), line.indent];
    const item = /^(?:- +)+/.exec(content)?.[0].length ?? 0;
    if (item > 0) open.push(line.indent + item);
    complete = /^(?:- +)*[\w"'.-]+: +(?![|>{["'])\S/.test(content);
  }
  return undefined;
}

function indentMistake(line: Line, expected: readonly number[]): SyntaxMistake {
  const wanted = expected.length === 0 ? "none" : expected.map(String).join(" or ");
  return {
    at: [line.start, line.start + Math.max(line.indent, 1)],
    message: `the text is not YAML: the line is indented by ${counted(line.indent, "space")}; ${wanted} ${wanted === "1" ? "was" : "were"} expected`,
    help: "Fields of one thing stand in one column. What belongs to a field stands below it, two spaces further in.",
  };
}

/** A colon and a blank inside, or a special character first. */
function unquotedText({ start, text }: Line): SyntaxMistake | undefined {
  const [, before, value] = /^(\s*(?:- )?[\w-]+: +)([^"'\s].*?)\s*$/.exec(text) ?? [];
  if (before === undefined || value === undefined) return undefined;
  const what =
    /: /.test(value) && !/^[{[]/.test(value)
      ? "a colon and a blank"
      : /^[{[@`%&*!|>]/.test(value)
        ? `\`${value[0]}\``
        : null;
  if (what === null) return undefined;
  const at = start + before.length;
  return {
    at: [at, at + value.length],
    message: `the text is not YAML: ${what} has a meaning of its own here; the text was expected in double quotes`,
    help: `Write \`"${value.length > 60 ? `${value.slice(0, 57)}…` : value}"\`.`,
  };
}
