export interface SignatureMistake {
  offset: number;
  length: number;
  message: string;
  /** No type, perhaps meant as one of {@link elementaryTypes}. */
  word?: string;
}

const sizes = Array.from({ length: 32 }, (_, i) => (i + 1) * 8);
const widths = new Set(sizes.flatMap((bits) => [`uint${bits}`, `int${bits}`]));
const byteTypes = new Set(Array.from({ length: 32 }, (_, i) => `bytes${i + 1}`));

/** Without array brackets and tuples. */
export const elementaryTypes: readonly string[] = [
  ...["address", "bool", "bytes", "string", "uint", "int", "function"],
  ...byteTypes,
  ...widths,
];
const known = new Set(elementaryTypes);
const locations = new Set(["memory", "calldata", "storage"]);

/** The first usual mistake in a signature such as `event Supply(address indexed reserve, uint256 amount)`. */
export function findSignatureMistake(text: string): SignatureMistake | undefined {
  const semicolon = /;\s*$/.exec(text);
  if (semicolon !== null) return at(semicolon.index, 1, "a semicolon stands at the end; none was expected");
  const head = /^(event|function|error|step) +([A-Za-z_$][\w$]*)? *(\()?/.exec(text);
  const [whole = "", keyword, name, bracket] = head ?? [];
  if (keyword === undefined) return undefined;
  if (name === undefined) return at(whole.length, 1, `a name was expected after \`${keyword}\``);
  if (bracket === undefined) return at(whole.length, 1, `\`(\` was expected after \`${name}\``);
  const open = whole.length - 1;
  const end = closing(text, open);
  if (end === undefined) return at(open, 1, "the parenthesis that opens here is not closed; `)` was expected");
  const found = inParameters({ text, from: open + 1, to: end }, { keyword, outer: true });
  if (found !== undefined) return found;
  const indexed = [...text.slice(open, end).matchAll(/\bindexed\b/g)];
  const fourth = indexed[3];
  if (fourth !== undefined && keyword === "event")
    return at(open + fourth.index, 7, "an event has three `indexed` parameters at most; this is the fourth");
  return undefined;
}

function at(offset: number, length: number, message: string, word?: string): SignatureMistake {
  return { offset, length, message, ...(word !== undefined && { word }) };
}

function closing(text: string, open: number): number | undefined {
  let depth = 0;
  for (let i = open; i < text.length; i++) {
    if (text[i] === "(") depth++;
    if (text[i] === ")" && --depth === 0) return i;
  }
  return undefined;
}

interface Span {
  text: string;
  from: number;
  to: number;
}

/** Where parameters belong: to the item itself (`outer`), or to a struct. */
interface Owner {
  keyword: string;
  outer: boolean;
}

function inParameters({ text, from, to }: Span, owner: Owner): SignatureMistake | undefined {
  if (text.slice(from, to).trim() === "") return undefined;
  let start = from;
  let depth = 0;
  for (let i = from; i <= to; i++) {
    if (text[i] === "(") depth++;
    else if (text[i] === ")" && i < to) depth--;
    else if (i === to || (text[i] === "," && depth === 0)) {
      const found = inParameter({ text, from: start, to: i }, owner);
      if (found !== undefined) return found;
      start = i + 1;
    }
  }
  return undefined;
}

function inParameter({ text, from, to }: Span, owner: Owner): SignatureMistake | undefined {
  const raw = text.slice(from, to);
  const start = from + raw.search(/\S|$/);
  if (raw.trim() === "") return at(from - 1, 1, "a parameter is missing beside this comma");
  let rest = start;
  if (/^(?:tuple)?\(/.test(text.slice(start, to))) {
    const open = text.indexOf("(", start);
    // Inside one parameter, parentheses are balanced, so there is a closing one.
    const end = closing(text, open) as number;
    const inner = inParameters({ text, from: open + 1, to: end }, { ...owner, outer: false });
    if (inner !== undefined) return inner;
    rest = end + 1 + (/^(?:\[\d*\])*/.exec(text.slice(end + 1, to))?.[0].length ?? 0);
  } else {
    const type = /^[^\s,()]+/.exec(text.slice(start, to))?.[0] ?? "";
    const base = type.replace(/(?:\[\d*\])+$/, "");
    if (!known.has(base)) return unknownType(start, base);
    rest = start + type.length;
  }
  return inWords({ text, from: rest, to }, text.slice(start, rest), owner);
}

function unknownType(offset: number, word: string): SignatureMistake {
  const size = /^u?int(\d+)$/.exec(word);
  if (size !== null) return at(offset, word.length, `\`${word}\` is no type: integers have 8, 16, 24 … 256 bits`, word);
  const isOwn = /^[A-Z]/.test(word);
  const hint = isOwn
    ? "; a contract stands as `address`, an enum as `uint8`, a struct as its types in parentheses"
    : "";
  return at(offset, word.length, `\`${word}\` is no type of the ABI${hint}`, isOwn ? undefined : word);
}

/** Optional `indexed` and a name; only `indexed` may be wrong in it. */
const usualWords = /^ (indexed )?(?!(?:indexed|memory|calldata|storage)$)[A-Za-z_$][\w$]*$/;

function inWords({ text, from, to }: Span, type: string, { keyword, outer }: Owner): SignatureMistake | undefined {
  const usual = usualWords.exec(text.slice(from, to));
  if (usual !== null && (usual[1] === undefined || (keyword === "event" && outer))) return undefined;
  const found = [...text.slice(from, to).matchAll(/\S+/g)];
  const words = found.map(({ 0: word, index }) => ({ word, offset: from + index }));
  const names: typeof words = [];
  for (const one of words) {
    if (one.word === "indexed" && (keyword !== "event" || !outer))
      return at(one.offset, 7, "`indexed` stands in events only, beside a parameter of the event itself");
    if (locations.has(one.word) && !/[)\]]$|^(?:bytes|string)$/.test(type))
      return at(
        one.offset,
        one.word.length,
        `\`${one.word}\` does not belong to \`${type}\`; it was expected to be left out`,
      );
    if (one.word !== "indexed" && !locations.has(one.word)) names.push(one);
  }
  const [name, second] = names;
  if (name === undefined)
    return at(from - type.length, type.length, `the parameter \`${type}\` has no name; one was expected behind it`);
  if (second !== undefined)
    return at(
      second.offset,
      second.word.length,
      `\`${second.word}\` stands behind the name; a comma was expected before it`,
    );
  if (!/^[A-Za-z_$][\w$]*$/.test(name.word)) return at(name.offset, name.word.length, `\`${name.word}\` is no name`);
  return undefined;
}
