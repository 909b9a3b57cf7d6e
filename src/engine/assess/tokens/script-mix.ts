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
