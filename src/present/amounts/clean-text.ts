/** ASCII that is seen, with blanks inside of it only. */
const plainText = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;

/** Drops control, bidi and other invisible characters and caps the length; null when nothing is left. */
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
