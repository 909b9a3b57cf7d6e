/** Strangers' text for drawings; widths are safe estimates. */

/** Unicode TR9: text between cannot turn the text around. */
export const isolateStart = "\u2068";
export const isolateEnd = "\u2069";

/** NFKC (ellipses stay), no invisible characters, one combining mark in a row. */
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

/** XML and HTML; U+0000 is allowed in neither. */
export function escapeMarkup(text: string): string {
  return text.replace(/[&<>"'\0]/g, (character) => escapes[character] ?? "\ufffd");
}

const escapes: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

/** `0x1234…abcd`. */
export function shortForm(address: string): string {
  return `${address.slice(0, 6)}…${address.slice(-4)}`;
}

/** Cut to `emMax` em inside the quotes; isolated unless ASCII, quoted if anybody chose it. */
export function nameText(name: string, untrusted: boolean, emMax: number): string {
  const cut = fitText(visibleText(name) || "?", 1, emMax);
  const isolated = plainAscii.test(cut.replace("…", "")) ? cut : `${isolateStart}${cut}${isolateEnd}`;
  return untrusted ? `“${isolated}”` : isolated;
}

/** Pixels. */
export function widthOf(text: string, size: number): number {
  return size * (plainAscii.test(text) ? asciiWidth(text) : splitWidth(text));
}

const plainAscii = /^[ -~]*$/;
const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

/** Em, outside the classes. */
const known: Readonly<Record<string, number>> = {
  ...{ "…": 0.95, "−": 0.84, "×": 0.84, "±": 0.84, "“": 0.52, "”": 0.52, "–": 0.55, "·": 0.35 },
  ...{ [isolateStart]: 0, [isolateEnd]: 0 },
};
/** Em; the first class counts. */
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

/** May exceed {@link widthOf}. */
export function hasUnknownGlyphs(text: string): boolean {
  return /[^ -~…−×“”±–·⁻⁰¹²³⁴-⁹\u2068\u2069]/u.test(text);
}

/** With an ellipsis above `max` pixels; quotes stay. */
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
