/** Characters of an intent, of a field's label and of a contract's name; longer text is refused, since a cut one may mislead. */
const charsMax = { intent: 60, label: 32, name: 60, sentence: 140 } as const;

/**
 * Text of a descriptor as a sentence may hold it; undefined when it is empty, too long, or has anything but plain words:
 * control characters, markup, braces (placeholders of ours), quotes, digits in the form of an address.
 */
export function readPlain(text: unknown, kind: keyof typeof charsMax): string | undefined {
  if (typeof text !== "string" || text.length > 400) return undefined;
  const joined = text
    .trim()
    .replace(/ {2,}/g, " ")
    .replace(/[.!?:;,]+$/, "");
  if (!/^[A-Za-z0-9][A-Za-z0-9 ,.:;&'()+%/#$@=-]*$/.test(joined) || !/[A-Za-z]{2}/.test(joined)) return undefined;
  if (/0x[0-9a-f]{8}/i.test(joined) || /:\/\/|www\./i.test(joined)) return undefined;
  return joined.length <= charsMax[kind] ? joined : undefined;
}

/** Words inside of a sentence: capitals fall, short words in capitals (ETH, NFT, USDC) and mixed case (stETH, DeFi) stay. */
export function lowerWords(text: string): string {
  return text.replace(/[A-Za-z0-9]+/g, (word) =>
    /^[A-Z][a-z]*$/.test(word) || /^[A-Z]{7,}$/.test(word) ? word.toLowerCase() : word,
  );
}

/** Lower-case words with hyphens between, for ids and file names; at most 48 characters. */
export function slugOf(text: string): string {
  const words = text
    .replace(/([a-z0-9])([A-Z])/g, "$1-$2")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-");
  return words.slice(0, 48).replace(/^-+|-+$/g, "") || "unnamed";
}
