/** Irregular past tenses by base form (rules/verbs.yaml). */
export type VerbTable = ReadonlyMap<string, string>;

const vowels = /[aeiou]+/g;
/** A short last syllable. Its consonant is doubled if the syllable is stressed: stop, stopped; but open, opened. */
const shortEnd = /[^aeiou][aeiou][bcdfghjklmnpqrstvz]$/;

/**
 * The past tense of a verb in base form: `swap` gives `swapped`. Undefined where no spelling rule is certain: the word is no base form, or
 * has several syllables and its last consonant may be doubled or not. Such verbs must be in the table.
 */
export function pastTense(base: string, table: VerbTable): string | undefined {
  const known = table.get(base) ?? regular.get(base);
  if (known !== undefined) return known;
  const formed = formPast(base);
  if (formed !== undefined && regular.size < regularMax) regular.set(base, formed);
  return formed;
}

/** Remembers regular past tenses. The rule files use a few hundred verbs. */
const regular = new Map<string, string>();
const regularMax = 2_000;

function formPast(base: string): string | undefined {
  if (!/^[a-z]{2,}$/.test(base) || /(?:ed|ing|ought|aught)$/.test(base)) return undefined;
  if (base.endsWith("e")) return `${base}d`;
  if (/[^aeiou]y$/.test(base)) return `${base.slice(0, -1)}ied`;
  if (!shortEnd.test(base)) return `${base}ed`;
  return base.match(vowels)?.length === 1 ? `${base}${base.at(-1)}ed` : undefined;
}

/** Whether a word is a past tense of the table and not also a base form. */
export function isPastOnly(word: string, table: VerbTable): boolean {
  return !table.has(word) && [...table.values()].includes(word);
}

/** Reads the table of a verbs.yaml that fits its schema. */
export function readVerbs(document: unknown): VerbTable {
  return new Map(Object.entries((document as { past?: Record<string, string> } | undefined)?.past ?? {}));
}
