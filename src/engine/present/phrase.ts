import type { Phrase } from "../../model/phrase.ts";
import type { Part } from "../../rules/ruleset/compile/template.ts";
import { withoutLinks } from "../assess/tokens/link-text.ts";

/** Something important did not fit. */
export interface CutPhrase extends Phrase {
  cut: boolean;
}

/** `a, b and c`; `a and b, and c` where a word is a list. */
export function joinWords(words: readonly string[]): string {
  if (words.length < 2) return words[0] ?? "";
  const comma = words.some((one) => / and |, /.test(one)) ? "," : "";
  return `${words.slice(0, -1).join(", ")}${comma} and ${words[words.length - 1]}`;
}

/** {@link joinWords}; untrusted if one is. */
export function joinPhrases(phrases: readonly Phrase[]): Phrase {
  return {
    text: joinWords(phrases.map(({ text }) => text)),
    untrusted: phrases.some(({ untrusted }) => untrusted),
  };
}

/** Undefined if one cannot be filled. */
export function fillParts(
  parts: readonly Part[],
  fill: (part: Exclude<Part, string>) => Phrase | undefined,
): Phrase | undefined {
  let text = "";
  let untrusted = false;
  for (const part of parts) {
    const phrase = typeof part === "string" ? trusted(part) : fill(part);
    if (phrase === undefined) return undefined;
    text += phrase.text;
    untrusted ||= phrase.untrusted;
  }
  return { text, untrusted };
}

/**
 * Text from the chain in quotes: cleaned, cut, without links, addresses shortened, without signs that could close the quotes. undefined:
 * nothing left.
 */
export function quoted(text: string, charsMax = 60): Phrase | undefined {
  const short = text.slice(0, textCharsMax).replace(longHex, (hex) => `${hex.slice(0, 6)}…${hex.slice(-4)}`);
  const inner = short.replace(quoteSigns, "'");
  const clean = cleanText(inner, textCharsMax) && cleanText(inner.replace(turns, "\ufffd"), textCharsMax);
  const shown = clean === null ? null : cleanText(withoutLinks(clean), charsMax);
  return shown === null ? undefined : { text: `"${shown}"`, untrusted: true };
}

/** Quotation marks and markup. */
const quoteSigns = /[\p{Quotation_Mark}`´″‴‶‷❝❞❠❮❯<>[\](){}\\]/gu;

/** Characters that turn the reading direction: what is read is not what is written, so where they stood is shown. */
const turns = /[\u202a-\u202e\u2066-\u2069]/g;

/** A contract may answer megabytes. */
const textCharsMax = 4_096;
const longHex = /(?:0x)?[0-9a-fA-F]{40,}/g;

/** Ends with an ellipsis, never inside a word or quotes. */
export function cutWords(text: string, charsMax: number): string {
  const words = text.slice(0, charsMax).replace(/\s+\S*$/, "");
  const parts = words.split('"').length;
  return `${parts % 2 === 1 ? words : words.slice(0, words.lastIndexOf('"')).trimEnd()}…`;
}

/** Untrusted if one is. */
export function joinSentences(said: readonly Phrase[]): Phrase {
  let text = "";
  let untrusted = false;
  for (const sentence of said) {
    text += sentence === said[0] ? sentence.text : ` ${sentence.text}`;
    untrusted ||= sentence.untrusted;
  }
  return { text, untrusted };
}

/** Visible ASCII, no blank at the ends. */
const plainText = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;

/** Without control, bidi and invisible characters; null: nothing left. */
export function cleanText(text: string | null, charsMax: number): string | null {
  if (text === null) return null;
  if (text.length <= charsMax && plainText.test(text)) return text;
  const visible = text
    .normalize("NFC")
    .replace(/[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu, "")
    .trim();
  const points = [...visible];
  if (points.length === 0) return null;
  return points.length > charsMax ? `${points.slice(0, charsMax - 1).join("")}…` : visible;
}

/** Our own text. */
export function trusted(text: string): Phrase {
  return { text, untrusted: false };
}
