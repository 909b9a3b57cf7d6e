/**
 * Forms of letters that the table of UTS #39 does not have, or gives a form of their own: small capitals, syllables and signs that
 * are written in place of letters. Each sign of the first text looks like the letter below it.
 */
const forms: readonly (readonly [signs: string, letters: string])[] = [
  ["ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘꞯʀꜱᴛᴜᴠᴡʏᴢĸʍʊ", "abcdefghijklmnopqrstuvwyzkmu"],
  ["ᗩᑕᑎᑫᔕᗯᘔᗴ", "ACNQSWZE"],
  ["€₿ΞΛƧↃɔƇƈ", "EBEASCcCc"],
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
  // Thousands of signs lead to some hundreds of forms, and this runs at each start.
  const ends = new Map<string, string>();
  const table: Record<string, string> = { ...confusables };
  for (const sign in confusables) {
    const form = confusables[sign] as string;
    const end = ends.get(form) ?? Array.from(form, (one) => formOf(more.get(one) ?? one)).join("");
    ends.set(form, end);
    table[sign] = end;
  }
  for (const [sign, letter] of more) table[sign] = formOf(letter);
  return table;
}
