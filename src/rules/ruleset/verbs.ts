/** Past tenses by base form (rules/verbs.yaml). */
export type VerbTable = ReadonlyMap<string, string>;

const vowels = /[aeiou]+/g;
/** The consonant is doubled if the syllable is stressed: stopped, but opened. */
const shortEnd = /[^aeiou][aeiou][bcdfghjklmnpqrstvz]$/;

/**
 * Undefined where no spelling rule is certain: no base form, or several syllables whose last consonant may be doubled. Such verbs must be
 * in the table.
 */
export function pastTense(base: string, table: VerbTable): string | undefined {
  const known = table.get(base) ?? regular.get(base);
  if (known !== undefined) return known;
  const formed = formPast(base);
  if (formed !== undefined && regular.size < regularMax) regular.set(base, formed);
  return formed;
}

/** Regular ones; the rule files use a few hundred verbs. */
const regular = new Map<string, string>();
const regularMax = 2_000;

function formPast(base: string): string | undefined {
  if (!/^[a-z]{2,}$/.test(base) || /(?:ed|ing|ought|aught)$/.test(base)) return undefined;
  if (base.endsWith("e")) return `${base}d`;
  if (/[^aeiou]y$/.test(base)) return `${base.slice(0, -1)}ied`;
  if (!shortEnd.test(base)) return `${base}ed`;
  return base.match(vowels)?.length === 1 ? `${base}${base.at(-1)}ed` : undefined;
}

/** A past tense that is not also a base form. */
export function isPastOnly(word: string, table: VerbTable): boolean {
  return !table.has(word) && [...table.values()].includes(word);
}

/** The document fits its schema. */
export function readVerbs(document: unknown): VerbTable {
  return new Map(Object.entries((document as { past?: Record<string, string> } | undefined)?.past ?? {}));
}
