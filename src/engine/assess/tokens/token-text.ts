import { limits } from "../../../kernel/limits.ts";
import { dots, linkStart, lureHost } from "./link-text.ts";
import type { Skeletons } from "./skeleton.ts";

/**
 * More than "highly restrictive" of UTS #39: one script, or Latin with those of Japanese, Chinese or Korean. Characters of all scripts
 * (digits, punctuation, emoji, currency) do not count.
 */
export function mixesScripts(text: string): boolean {
  const letters = [...new Set(text)].filter((char) => !shared.test(char));
  const covers = (set: readonly RegExp[]) => letters.every((char) => set.some((script) => script.test(char)));
  if (together.some(covers) || single.some((script) => covers([script]))) return false;
  // Unlisted scripts count as one, unless a listed one is beside them.
  return letters.some((char) => [latin, ...single].some((script) => script.test(char)));
}

const shared = /[\p{Script=Common}\p{Script=Inherited}\p{Script=Unknown}]/u;
const latin = /\p{Script_Extensions=Latin}/u;
const [han, hiragana, katakana, bopomofo, hangul] = [
  /\p{Script_Extensions=Han}/u,
  /\p{Script_Extensions=Hiragana}/u,
  /\p{Script_Extensions=Katakana}/u,
  /\p{Script_Extensions=Bopomofo}/u,
  /\p{Script_Extensions=Hangul}/u,
] as const;

const together: readonly (readonly RegExp[])[] = [
  [latin, han, hiragana, katakana],
  [latin, han, bopomofo],
  [latin, han, hangul],
];

/** Recommended scripts of UAX #31, and others with letters like Latin ones. */
const single: readonly RegExp[] = [
  ...[han, hiragana, katakana, bopomofo, hangul],
  ...[
    ...["Arabic", "Armenian", "Bengali", "Cyrillic", "Devanagari", "Ethiopic", "Georgian", "Greek", "Gujarati"],
    ...["Gurmukhi", "Hebrew", "Kannada", "Khmer", "Lao", "Malayalam", "Myanmar", "Oriya", "Sinhala", "Tamil"],
    ...["Telugu", "Thaana", "Thai", "Tibetan", "Mongolian", "Canadian_Aboriginal", "Cherokee", "Coptic", "Lisu"],
    ...["Deseret", "Osage", "Gothic", "Runic", "Ogham", "Tifinagh", "Vai", "Yi", "Bamum", "Nko", "Glagolitic"],
  ].map((script) => new RegExp(`\\p{Script_Extensions=${script}}`, "u")),
];

export type TextReason =
  | "invalid_utf8"
  | "empty"
  | "too_long"
  | "control_or_bidi"
  | "url_or_domain"
  | "call_to_action"
  | "endorsement"
  | "markup"
  | "mixed_script"
  | "whole_script_confusable"
  | "compat_form"
  | "combining_marks"
  | "instruction_like";

/** null: the contract gave none. Empty when both are plain. */
export function readTextReasons(
  token: { symbol: string | null; name: string | null; fungible: boolean },
  wellKnown: WellKnownSkeletons,
): TextReason[] {
  const reasons = new Set<TextReason>();
  const { symbol, name, fungible } = token;
  if (symbol !== null) {
    if (fungible && symbol.replace(unseen, "").trim() === "") reasons.add("empty");
    if ([...symbol].length > limits.symbolCharsMax) reasons.add("too_long");
    if (!wellKnown.raw.has(symbol) && wellKnown.skeletons.has(wellKnown.skeleton(symbol)))
      reasons.add("whole_script_confusable");
  }
  if (name !== null && [...name].length > limits.nameCharsMax) reasons.add("too_long");
  for (const text of [symbol, name]) if (text !== null) for (const reason of readShape(text)) reasons.add(reason);
  return order.filter((reason) => reasons.has(reason));
}

/** Of well-known tokens, as written and as seen. */
export interface WellKnownSkeletons extends Pick<Skeletons, "skeleton"> {
  raw: ReadonlySet<string>;
  skeletons: ReadonlySet<string>;
}

const order: readonly TextReason[] = [
  ...(["invalid_utf8", "empty", "too_long", "control_or_bidi", "url_or_domain", "call_to_action"] as const),
  ...(["endorsement", "markup", "mixed_script", "whole_script_confusable", "compat_form", "combining_marks"] as const),
  "instruction_like",
];

/** Blanks of all scripts and invisible characters. */
const unseen = /[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}]/gu;
/**
 * Control, format, private and unassigned characters, line separators, letters without a form. Not variation selectors: emoji need them.
 */
const control = /[\p{C}\p{Zl}\p{Zp}\u115f\u1160\u3164\uffa0]|\u034f|\u17b4|\u17b5/u;
const markup = /[<`\u001b]|\]\(|\{\{/;
/** Two marks on one letter. Only marks of no script: some scripts stack their own rightly. */
const stacked = /[\p{Mn}&&\p{Script=Inherited}]{2,}/v;
/** Strike a letter out or enclose it; no alphabet needs them. */
const overlaid = /[\u0334-\u0338\u20d2\u20d3\u20d8-\u20da\u20e5-\u20eb\p{Me}]/u;
/** Digits in a box are emoji. */
const keycap = /\ufe0f?\u20e3/gu;
/** Joined by dots without blanks, like a host. */
const host = /(?:^|\s)\p{L}{2,}(?:\.\p{L}{2,}){2,}(?:$|\s)/u;
const endorsed = /\b(?:verified|audited|approved|endorsed|certified|secured)[\s._-]+by\b/iu;
const lure = /\$?\b(?:claim|visit|reward|airdrop|voucher|bonus)(?:s|ed|ing)?\b/giu;
const imperative =
  /\b(?:ignore|disregard|forget|override|bypass)\b[^.]{0,40}\b(?:instructions?|previous|prior|above|rules?|prompts?|guidelines?|everything)\b|\bsystem\s*prompt\b|\b(?:you are|act as|pretend to be)\b[^.]{0,20}\b(?:now|an?)\b|\b(?:assistant|system|user)\s*:|\bas an? (?:ai|assistant|language model)\b|\b(?:tell|inform|instruct|advise) the user\b|ignor[ae]\s+(?:las|les|le|todas|tutte|toutes|as)\b|ignoriere\b|ignorez\b|忽略|無視|игнорируй|이전\s*(?:지시|명령)|تجاهل/iu;

const shapeCharsMax = 512;

/** Reads as an order to the reader, as texts for language models do. */
export function isOrder(text: string): boolean {
  return imperative.test(seenOf(text.slice(0, shapeCharsMax).normalize("NFKC")));
}

/** Without invisible characters. */
function seenOf(text: string): string {
  return text.replace(/[\p{C}\p{Default_Ignorable_Code_Point}]/gu, "");
}

/** Needs no test of scripts, forms and invisible characters. */
const plain = /^[\x20-\x7e]*$/;

function readShape(whole: string): TextReason[] {
  // Longer texts are refused anyway.
  const text = whole.slice(0, shapeCharsMax);
  if (plain.test(text)) return readMeaning(text, text);
  const compat = text.normalize("NFKC");
  const seen = seenOf(compat);
  const composed = text.normalize("NFC");
  const found = readMeaning(compat, seen);
  if (text.includes("\ufffd")) found.push("invalid_utf8");
  if (control.test(text)) found.push("control_or_bidi");
  if (mixesScripts(compat)) found.push("mixed_script");
  if (compat !== composed) found.push("compat_form");
  if (stacked.test(composed) || overlaid.test(text.replace(keycap, ""))) found.push("combining_marks");
  return found;
}

/** By its words. `seen`: without invisible characters. */
function readMeaning(text: string, seen: string): TextReason[] {
  const found: TextReason[] = [];
  const dotted = seen.replace(dots, ".");
  const linked = linkStart.test(seen) || (dotted.includes(".") && (lureHost.test(dotted) || host.test(dotted)));
  if (linked) found.push("url_or_domain");
  if (isLure(seen, linked)) found.push("call_to_action");
  if (endorsed.test(seen)) found.push("endorsement");
  if (markup.test(text)) found.push("markup");
  if (imperative.test(seen)) found.push("instruction_like");
  return found;
}

/** A word such as "claim" with a link, a sum or a ticker; alone it may be a name. */
function isLure(text: string, linked: boolean): boolean {
  const rest = text.replace(lure, "");
  return rest !== text && (linked || /[$€£]|\d/.test(rest));
}
