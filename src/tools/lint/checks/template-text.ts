import { limits } from "../../../kernel/limits.ts";
import type { DocumentPath } from "../../../rules/documents/source-document.ts";
import { suggest } from "../../../rules/documents/suggest.ts";
import { tierRank } from "../../../rules/ruleset/actions.ts";
import {
  builtinCaptures,
  facets,
  messageCaptures,
  parseTemplate,
  verbsOf,
} from "../../../rules/ruleset/compile/template.ts";
import { isMessageEntry } from "../../../rules/ruleset/document/message-entry.ts";
import type { CaptureEntry } from "../../../rules/ruleset/document/rule-document.ts";
import { isPastOnly, pastTense, type VerbTable } from "../../../rules/ruleset/verbs.ts";
import { type LintFinding, type PlacedEntry, type Telling, tellingsOf, type UsableFile } from "../rule-view.ts";

/** One sentence of a rule, with the captures that it may print. */
interface Sentence {
  at: DocumentPath;
  text: string;
  captures: Telling["captures"];
  /** Placeholders that need no capture. */
  builtin: readonly string[];
}

/** `place`: the characters in the sentence. `meant`: what to suggest. */
type Mistake = [code: string, message: string, place?: [offset: number, length: number], meant?: string | undefined];

/** RL501, RL503, RL504, RL505 and RL508: mistakes in sentences, each reported at its characters. */
export function* checkTemplates(placed: PlacedEntry, file: UsableFile, verbs: VerbTable): Generator<LintFinding> {
  const { entry, id, at } = placed;
  for (const sentence of sentencesOf(placed))
    for (const [code, message, place, meant] of mistakesIn(sentence, file, verbs)) {
      const inside = place && { offset: place[0], length: place[1] };
      yield [code, [...sentence.at, "does"], message, { ...(inside && { inside }), suggest: meant }];
    }
  const unsigned = entry.authorization !== undefined && entry.acts_for === undefined;
  const tier = file.rules.find((rule) => rule.id === id)?.tier;
  if (entry.by !== undefined && !unsigned && tier !== undefined && tier !== tierRank("system"))
    yield ["RL504", [...at, "by"], "an account did this; only the chain itself has no address"];
}

function* mistakesIn(sentence: Sentence, { document }: UsableFile, verbs: VerbTable): Generator<Mistake> {
  yield* checkPlaceholders(sentence);
  yield* checkClauses(sentence);
  yield* checkCharacters(sentence);
  yield* checkSubject(sentence);
  yield* checkVerbs(sentence, verbs);
  yield* checkName(sentence, document.kind === "protocol" ? document.name : undefined);
}

function sentencesOf(placed: PlacedEntry): Sentence[] {
  const [act, ...attempts] = tellingsOf(placed);
  // Attempts without a sentence of their own share the act's, so their captures belong to it too.
  const shared = { ...act, captures: Object.assign({}, act.captures, ...attempts.map(({ captures }) => captures)) };
  const own = attempts.map((one) => ({ ...one, captures: { ...act.captures, ...one.captures } }));
  return [shared, ...own].flatMap(({ at, captures, does: text }): Sentence[] => {
    if (text === undefined) return [];
    const builtin = isMessageEntry(placed.entry) ? messageCaptures : withCall(placed, at);
    return [{ at, text, captures, builtin }];
  });
}

/** The placeholders that need no capture at one sentence. `{call}` is one of them where the rule, or this attempt, has `carries`. */
function withCall({ entry, at }: PlacedEntry, place: readonly (string | number)[]): readonly string[] {
  const attempts = typeof entry.attempts === "object" ? entry.attempts : [];
  const attempt = attempts[Number(place[at.length + 1])];
  const carries = typeof attempt === "object" ? attempt.carries : entry.carries;
  return carries === undefined ? builtinCaptures : [...builtinCaptures, "call"];
}

function* checkPlaceholders({ text, captures, builtin }: Sentence): Generator<Mistake> {
  const known = [...builtin, ...Object.keys(captures)];
  for (const { 0: whole, 1: inner, index } of text.matchAll(/\{([^{}]*)\}|[{}]/g)) {
    if (inner === undefined) {
      yield ["RL501", `a lone \`${whole}\` stands here; \`{name}\` was expected`, [index, whole.length]];
      continue;
    }
    const [name = "", facet, ...rest] = inner.split(".");
    if (!known.includes(name))
      yield ["RL501", `\`${whole}\` names no value`, [index + 1, name.length], suggest(name, known)];
    else if (rest.length > 0 || (facet !== undefined && !facets.includes(facet))) {
      const view = inner.slice(name.length + 1);
      const message = `\`${view}\` is no view of a value: one of ${facets.join(", ")} was expected`;
      yield ["RL501", message, [index + name.length + 2, view.length], suggest(facet ?? "", facets)];
    }
  }
}

/** RL501: square brackets that do not pair or are nested, and clauses without a value: such a clause is never left out. */
function* checkClauses({ text }: Sentence): Generator<Mistake> {
  let open: number | undefined;
  const lone = (offset: number): Mistake => [
    "RL501",
    `a lone \`${text[offset]}\` stands here; \`[words {name}]\` was expected`,
    [offset, 1],
  ];
  for (const { 0: sign, index } of text.matchAll(/[[\]|]/g)) {
    if (sign === "[" && open === undefined) open = index;
    else if (sign === "]" && open !== undefined) {
      const message = "the clause prints no value, so it is never left out; plain words were expected";
      if (!text.slice(open, index).includes("{")) yield ["RL501", message, [open, index + 1 - open]];
      open = undefined;
    } else if (sign !== "|" || open === undefined) yield lone(index);
  }
  if (open !== undefined) yield lone(open);
}

/** Markup, line breaks, control and invisible characters: a client could read them as something other than text. */
const unfit = /[\p{C}\p{Zl}\p{Zp}<>*_`~\\]/gu;

function* checkCharacters({ text }: Sentence): Generator<Mistake> {
  const bare = text.replace(/<\{[^{}]*\}>|\{[^{}]*\}|<[a-z]+>/g, (found) => "x".repeat(found.length));
  for (const { 0: found, index } of bare.matchAll(unfit)) {
    const code = (found.codePointAt(0) as number).toString(16).toUpperCase().padStart(4, "0");
    const shown = /[\p{C}\p{Z}]/u.test(found) ? `U+${code}` : `\`${found === "`" ? "backtick" : found}\``;
    yield ["RL503", `${shown} stands in a sentence; plain text was expected`, [index, found.length]];
  }
  const most = limits.templateCharsMax;
  if (text.length > most) yield ["RL503", `the template has ${text.length} characters; at most ${most} were expected`];
  for (const { 0: found, index } of text.matchAll(/[\w}][\][]+[\w{]|\w\{|(?<=\w)\}[\w{]| {2,}/g)) {
    const blanks = found.startsWith(" ") ? "one blank was expected" : "a blank was expected between them";
    yield ["RL503", `\`${found}\` would be told as one word; ${blanks}`, [index, found.length]];
  }
  const stop = "the sentence ends with a full stop, which is added to it; none was expected";
  if (/[.!?]\s*$/.test(text)) yield ["RL503", stop, [text.trimEnd().length - 1, 1]];
}

/** RL504: `{subject}` at the start. Every sentence gets its subject in front anyway. */
function* checkSubject({ text }: Sentence): Generator<Mistake> {
  const [found] = /^\{subject[^}]*\}/.exec(text) ?? [];
  const message = "the sentence starts with `{subject}`, which is put in front of it; a verb was expected";
  if (found !== undefined) yield ["RL504", message, [0, found.length]];
}

/** RL508: a sentence that writes out the protocol's name. A copy of the file (`like`) would tell the wrong name. */
function* checkName({ text }: Sentence, name: string | undefined): Generator<Mistake> {
  if (name === undefined || text.includes("{protocol}")) return;
  // Looks for the name after a preposition and at the end of a phrase.
  const places = [...text.matchAll(/\b(?:on|in|to|from|through|with|by|at) /g)].map((one) => one.index + one[0].length);
  const index = places.find(
    (from) => text.startsWith(name, from) && /^(?:$|[[,|\]])/.test(text.slice(from + name.length)),
  );
  if (index === undefined) return;
  const message = `\`${name}\` is written out; \`{protocol}\` was expected, which a file that is like this one has its own name for`;
  yield ["RL508", message, [index, name.length]];
}

function* checkVerbs({ text, captures }: Sentence, table: VerbTable): Generator<Mistake> {
  const verbs = verbsOf(parseTemplate(text));
  if (/^[“”„«‘’]/.test(text))
    yield [
      ...([
        "RL503",
        "the sentence stands in typographic quotes, which are part of it; straight ones were expected",
      ] as const),
      [0, 1],
    ];
  else if (!verbs.some(({ first }) => first) && !text.startsWith("{subject"))
    yield ["RL505", "the sentence does not start with a verb in base form", [0, Math.max(text.indexOf(" "), 1)]];
  for (const { base, offset } of verbs) {
    const words = typeof base === "string" ? [base] : enumWords(captures[base.capture]);
    const inside: [number, number] =
      typeof base === "string" ? [offset, base.length] : [base.offset, base.capture.length];
    if (words.length === 0) yield ["RL505", "only an `enum` of verbs in base form can stand here", inside];
    for (const word of words) {
      if (pastTense(word, table) !== undefined && !isPastOnly(word, table)) continue;
      const message = `\`${word}\` is no verb in base form, or its past tense is not certain: rules/verbs.yaml was expected to have it`;
      yield ["RL505", message, inside, baseOf(word, table)];
    }
  }
}

function enumWords(capture: CaptureEntry | undefined): string[] {
  if (Array.isArray(capture)) return [];
  const words = Object.values((capture?.values ?? {}) as Record<string, string>);
  return typeof capture?.default === "string" ? [...words, capture.default] : words;
}

/**
 * A past-tense stem with a consonant that was doubled, such as `swapp` of `swapped`. Other letters are double in the base form too: `fill`,
 * `pass`.
 */
const doubled = /([bdgkmnprt])\1$/;
/** A past-tense stem that lost an `e`, such as `bridg` or `releas`. Words that end like this mostly have an `e` in the base form. */
const endsInE = /(?:[^aeioul]l|[cuvz]|[dr]g|[ae]ng|[aeioun]s|(?:i|cre)at|uir)$/;

/** The base form to suggest for a past tense that was written by mistake; undefined where none fits. */
function baseOf(word: string, table: VerbTable): string | undefined {
  const known = [...table].find(([, past]) => past === word)?.[0];
  if (known !== undefined) return known;
  const stem = word.replace(/ed$/, "");
  const single = stem.slice(0, -1);
  const likely = doubled.test(stem) ? [single] : endsInE.test(stem) ? [`${stem}e`] : [];
  const candidates = [`${stem.replace(/i$/, "")}y`, ...likely, stem, `${stem}e`, single];
  return candidates.find((one) => pastTense(one, table) === word);
}
