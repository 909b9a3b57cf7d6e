/**
 * Forms of letters that the table of UTS #39 does not have, or gives a form of their own: small capitals, syllables and signs that
 * are written in place of letters. Each sign of the first text looks like the letter below it.
 */
const forms: readonly (readonly [signs: string, letters: string])[] = [
  ["ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘꞯʀꜱᴛᴜᴠᴡʏᴢĸʍʊ", "abcdefghijklmnopqrstuvwyzkmu"],
  ["ᗩᑕᑎᑫᔕᗯᘔᗴ", "ACNQSWZE"],
  ["€₿ΞΛƧ", "EBEAS"],
];

/** Where A stands among letters in circles, in squares, and those that flags are made of. */
const alphabets = [0x1f150, 0x1f170, 0x1f1e6];

const more: ReadonlyMap<string, string> = new Map([
  ...forms.flatMap(([signs, letters]) => [...signs].map((sign, at) => [sign, letters[at] as string] as const)),
  ...alphabets.flatMap((start) =>
    Array.from({ length: 26 }, (_, at) => [String.fromCodePoint(start + at), String.fromCodePoint(0x41 + at)] as const),
  ),
]);

/** The table with those forms, also where it leads to one of them. */
export function withLetterForms(confusables: Readonly<Record<string, string>>): Record<string, string> {
  const formOf = (text: string) => Array.from(text, (one) => confusables[one] ?? one).join("");
  const led = Object.entries(confusables).map(([sign, form]) => [
    sign,
    Array.from(form, (one) => formOf(more.get(one) ?? one)).join(""),
  ]);
  const added = Array.from(more, ([sign, letter]) => [sign, formOf(letter)]);
  return Object.fromEntries([...led, ...added]);
}
