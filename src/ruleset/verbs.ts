/** Past tenses that do not follow from the base form by rule, by base form: rules/verbs.yaml. */
export type VerbTable = ReadonlyMap<string, string>;

const vowels = /[aeiou]+/g;
/** A short last syllable, whose consonant is doubled where it is stressed: stop, cancel, open. */
const shortEnd = /[^aeiou][aeiou][bcdfghjklmnpqrstvz]$/;

/**
 * The past tense of a verb in base form: `swap` gives `swapped`. Undefined where no rule is certain: a word that is no base form,
 * or one of several syllables whose last consonant may be doubled or not. Such verbs belong into the table.
 */
export function pastTense(base: string, table: VerbTable): string | undefined {
  const known = table.get(base) ?? regular.get(base);
  if (known !== undefined) return known;
  const formed = formPast(base);
  if (formed !== undefined && regular.size < regularMax) regular.set(base, formed);
  return formed;
}

/** A pure cache: the rule files use a few hundred verbs. */
const regular = new Map<string, string>();
const regularMax = 2_000;

function formPast(base: string): string | undefined {
  if (!/^[a-z]{2,}$/.test(base) || /(?:ed|ing|ought|aught)$/.test(base)) return undefined;
  if (base.endsWith("e")) return `${base}d`;
  if (/[^aeiou]y$/.test(base)) return `${base.slice(0, -1)}ied`;
  if (!shortEnd.test(base)) return `${base}ed`;
  return base.match(vowels)?.length === 1 ? `${base}${base.at(-1)}ed` : undefined;
}

/** Whether a word is a past tense of the table: it is then no base form. */
export function isPastOnly(word: string, table: VerbTable): boolean {
  return !table.has(word) && [...table.values()].includes(word);
}

/** The table of a checked verbs.yaml. */
export function readVerbs(document: unknown): VerbTable {
  return new Map(Object.entries((document as { past?: Record<string, string> } | undefined)?.past ?? {}));
}
