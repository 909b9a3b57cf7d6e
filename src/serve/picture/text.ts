/** Cleans, measures, shortens and escapes text of strangers for a drawing. Widths are estimates on the safe side. */

/** First strong isolate and its end (Unicode TR9). Text between them cannot change the direction of the text around it. */
export const isolateStart = "\u2068";
export const isolateEnd = "\u2069";

/**
 * Text in Unicode's compatibility form (NFKC, but ellipses stay), without invisible characters, and with at most one combining mark in a
 * row.
 */
export function visibleText(text: string): string {
  return text
    .toWellFormed()
    .split("…")
    .map((part) => part.normalize("NFKC"))
    .join("…")
    .replace(/[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu, "")
    .replace(/(\p{M})\p{M}+/gu, "$1")
    .trim();
}

/** Escapes text for the content and attributes of XML and HTML. U+0000 is allowed in neither, so it is replaced. */
export function escapeMarkup(text: string): string {
  return text.replace(/[&<>"'\0]/g, (character) => escapes[character] ?? "\ufffd");
}

const escapes: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/** `0x1234…abcd`. */
export function shortForm(address: string): string {
  return `${address.slice(0, 6)}…${address.slice(-4)}`;
}

/**
 * A name as it is shown: cut to `emMax` em, between isolates if it is not plain ASCII, and in quotes if anybody could have chosen it. It is
 * cut inside of the quotes.
 */
export function nameText(name: string, untrusted: boolean, emMax: number): string {
  const cut = fitText(visibleText(name) || "?", 1, emMax);
  const isolated = plainAscii.test(cut.replace("…", "")) ? cut : `${isolateStart}${cut}${isolateEnd}`;
  return untrusted ? `“${isolated}”` : isolated;
}

/** The width of text at a font size, in pixels. */
export function widthOf(text: string, size: number): number {
  return size * (plainAscii.test(text) ? asciiWidth(text) : splitWidth(text));
}

const plainAscii = /^[ -~]*$/;
const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

/** Widths in em of characters that no class below covers. */
const known: Readonly<Record<string, number>> = {
  ...{ "…": 0.95, "−": 0.84, "×": 0.84, "±": 0.84, "“": 0.52, "”": 0.52, "–": 0.55, "·": 0.35 },
  ...{ [isolateStart]: 0, [isolateEnd]: 0 },
};
/** Widths in em by class of letters. The first class that fits counts. */
const classes: readonly [letters: RegExp, width: number][] = [
  [/[ijl.,'|!:; ]/, 0.31],
  [/[mwMW@%]/, 0.96],
  [/[DGHNOQU#+<>=~^&]/, 0.8],
  [/[A-Z]/, 0.7],
];

function asciiWidth(text: string): number {
  let width = 0;
  for (const character of text) width += classes.find(([letters]) => letters.test(character))?.[1] ?? 0.63;
  return width;
}

function splitWidth(text: string): number {
  let width = 0;
  for (const { segment } of graphemes.segment(text)) width += graphemeWidth(segment);
  return width;
}

function graphemeWidth(grapheme: string): number {
  const width = known[grapheme];
  if (width !== undefined) return width;
  if (plainAscii.test(grapheme)) return asciiWidth(grapheme);
  if (/^[⁻⁰¹²³⁴-⁹]$/.test(grapheme)) return 0.45;
  return /^[\u00c0-\u06ff]/.test(grapheme) ? 0.66 : 1.1;
}

/** Whether the text has glyphs of unknown width, which may be wider than {@link widthOf} says. */
export function hasUnknownGlyphs(text: string): boolean {
  return /[^ -~…−×“”±–·⁻⁰¹²³⁴-⁹\u2068\u2069]/u.test(text);
}

/** The text, or its beginning with an ellipsis if it is wider than `max` pixels. Quotes around it are kept. */
export function fitText(text: string, size: number, max: number): string {
  if (widthOf(text, size) <= max) return text;
  if (text.startsWith("“") && text.endsWith("”"))
    return `“${fitText(text.slice(1, -1), size, max - widthOf("“”", size))}”`;
  const end = text.endsWith(isolateEnd) ? isolateEnd : "";
  let kept = "";
  let used = widthOf("…", size);
  for (const { segment } of graphemes.segment(text)) {
    used += widthOf(segment, size);
    if (used > max) break;
    kept += segment;
  }
  return `${kept.trimEnd()}…${end}`;
}
