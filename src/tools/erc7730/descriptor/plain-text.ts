import { type DescriptorPart, unsupported } from "./part.ts";

/** Characters, and the name in reports. A longer text is refused: a shortened one could mislead. */
const kinds = {
  intent: { charsMax: 60, noun: "an intent" },
  sentence: { charsMax: 140, noun: "an interpolated intent" },
  label: { charsMax: 32, noun: "a label" },
  constant: { charsMax: 100, noun: "a constant" },
  enumName: { charsMax: 32, noun: "a name" },
  contractName: { charsMax: 60, noun: "a name" },
} as const;

type TextKind = keyof typeof kinds;

/** They may contain `_` and `->`, as in `MC_USD0`. */
const values: ReadonlySet<TextKind> = new Set(["constant", "enumName"]);

/**
 * Text for a sentence. Undefined when empty, too long, or more than plain words: control characters, markup, braces (placeholders), quotes,
 * links, digits like an address.
 */
export function readPlain(text: unknown, kind: TextKind): string | undefined {
  if (typeof text !== "string" || text.length > 400) return undefined;
  const joined = text
    .trim()
    .replace(/ {2,}/g, " ")
    .replace(/[.!?:;,]+$/, "");
  const words = values.has(kind) ? joined.replace(/(?<=[A-Za-z0-9])_(?=[A-Za-z0-9])|(?<=-)>(?= )/g, "-") : joined;
  if (!/^[A-Za-z0-9(][A-Za-z0-9 ,.:;&'()+%/#$@=-]*$/.test(words) || !/[A-Za-z]{2}/.test(joined)) return undefined;
  if (/0x[0-9a-f]{8}/i.test(joined) || /:\/\/|www\./i.test(joined)) return undefined;
  return joined.length <= kinds[kind].charsMax ? joined : undefined;
}

/** As {@link readPlain}; throws UnsupportedError for `part`. */
export function requirePlain(text: unknown, kind: TextKind, part?: DescriptorPart): string {
  return (
    readPlain(text, kind) ?? unsupported(`${kinds[kind].noun} that is not short, plain, printable ASCII text`, part)
  );
}

/** Capitals at the start of words become lower case; short words in capitals (ETH, USDC) and mixed case (stETH) stay. */
export function lowerWords(text: string): string {
  return text.replace(/[A-Za-z0-9]+/g, (word) =>
    /^[A-Z][a-z]*$/.test(word) || /^[A-Z]{7,}$/.test(word) ? word.toLowerCase() : word,
  );
}

/** Lower-case words with hyphens, at most 48 characters. */
export function slugOf(text: string): string {
  const words = text
    .replace(/([a-z0-9])([A-Z])/g, "$1-$2")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-");
  return words.slice(0, 48).replace(/^-+|-+$/g, "") || "unnamed";
}

/** `withdraw ERC20` for `withdrawERC20` and `withdraw_ERC20`. */
export function wordsOfName(name: string): string {
  return withBlanks(name.replace(/([a-z0-9])([A-Z])/g, "$1 $2"));
}

export function withBlanks(text: string): string {
  return text.replaceAll("_", " ");
}
