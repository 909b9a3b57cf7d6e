import type { Reporter } from "../../documents/reporter.ts";
import { suggest } from "../../documents/suggest.ts";
import { limits } from "../../kernel/limits.ts";
import { builtinCaptures, facets, parseTemplate, verbsOf } from "../../ruleset/compile/template.ts";
import { attemptsOf } from "../../ruleset/document/attempt-entry.ts";
import type { CaptureEntry, RuleEntry } from "../../ruleset/document/rule-document.ts";
import { isPastOnly, pastTense, type VerbTable } from "../../ruleset/verbs.ts";
import type { UsableFile } from "../rule-view.ts";

type At = (string | number)[];

/** One sentence of a rule with the captures that it may print. */
interface Sentence {
  text: string;
  at: At;
  captures: NonNullable<RuleEntry["capture"]>;
}

/** RL501, RL503, RL504 and RL505: what a sentence may say, each mistake at its characters. */
export function checkTemplates(file: UsableFile, verbs: VerbTable, reporter: Reporter): void {
  (file.document.rules ?? []).forEach((entry, position) => {
    const system = file.rules.find((rule) => rule.id.endsWith(`/${entry.id}`))?.tier === 0;
    const unsigned = entry.authorization !== undefined && entry.acts_for === undefined;
    for (const sentence of sentencesOf(entry, position)) {
      checkPlaceholders(sentence, reporter);
      checkClauses(sentence, reporter);
      checkCharacters(sentence, reporter);
      checkSubject(sentence, reporter);
      checkVerbs(sentence, verbs, reporter);
    }
    if (entry.by !== undefined && !system && !unsigned)
      reporter.report("RL504", ["rules", position, "by"], "an account did this; only the chain itself has no address");
  });
}

function sentencesOf(entry: RuleEntry, position: number): Sentence[] {
  const attempts = attemptsOf(entry);
  const captures = entry.capture ?? {};
  const filled = Object.assign({}, captures, ...attempts.map(({ attempt }) => attempt.capture ?? {}));
  return [
    { text: entry.does, at: ["rules", position, "does"], captures: filled },
    ...attempts.flatMap(({ attempt, path }): Sentence[] =>
      attempt.does === undefined
        ? []
        : [
            {
              text: attempt.does,
              at: ["rules", position, ...path, "does"],
              captures: { ...captures, ...attempt.capture },
            },
          ],
    ),
  ];
}

function checkPlaceholders({ text, at, captures }: Sentence, reporter: Reporter): void {
  const known = [...builtinCaptures, ...Object.keys(captures)];
  for (const found of text.matchAll(/\{([^{}]*)\}|[{}]/g)) {
    const inside = { offset: found.index, length: found[0].length };
    if (found[1] === undefined) {
      reporter.report("RL501", at, `a lone \`${found[0]}\` stands here; \`{name}\` was expected`, { inside });
      continue;
    }
    const [name = "", facet, ...rest] = found[1].split(".");
    const named = { offset: found.index + 1, length: name.length };
    if (!known.includes(name))
      reporter.report("RL501", at, `\`{${found[1]}}\` names no capture`, {
        inside: named,
        suggest: suggest(name, known),
      });
    else if (rest.length > 0 || (facet !== undefined && !facets.includes(facet))) {
      const place = { offset: named.offset + name.length + 1, length: found[1].length - name.length - 1 };
      reporter.report(
        "RL501",
        at,
        `\`${found[1].slice(name.length + 1)}\` is no view of a value: one of ${facets.join(", ")} was expected`,
        { inside: place, suggest: suggest(facet ?? "", facets) },
      );
    }
  }
}

/** Square brackets that do not pair, stand in one another or hold nothing that could be missing. */
function checkClauses({ text, at }: Sentence, reporter: Reporter): void {
  let open: number | undefined;
  const lone = (offset: number): void =>
    reporter.report("RL501", at, `a lone \`${text[offset]}\` stands here; \`[words {name}]\` was expected`, {
      inside: { offset, length: 1 },
    });
  for (const { 0: sign, index } of text.matchAll(/[[\]|]/g)) {
    if (sign === "[" && open === undefined) open = index;
    else if (sign === "]" && open !== undefined) {
      if (!text.slice(open, index).includes("{"))
        reporter.report("RL501", at, "the clause prints no value, so it is never left out; plain words were expected", {
          inside: { offset: open, length: index + 1 - open },
        });
      open = undefined;
    } else if (sign !== "|" || open === undefined) lone(index);
  }
  if (open !== undefined) lone(open);
}

/** Markup, line breaks, control and invisible characters: what a client could read as something else than text. */
const unfit = /[\p{C}\p{Zl}\p{Zp}<>*_`~\\]/gu;

function checkCharacters({ text, at }: Sentence, reporter: Reporter): void {
  const bare = text.replace(/<\{[^{}]*\}>|\{[^{}]*\}|<[a-z]+>/g, (found) => "x".repeat(found.length));
  for (const found of bare.matchAll(unfit)) {
    const code = (found[0].codePointAt(0) as number).toString(16).toUpperCase().padStart(4, "0");
    const shown = /[\p{C}\p{Z}]/u.test(found[0]) ? `U+${code}` : `\`${found[0] === "`" ? "backtick" : found[0]}\``;
    reporter.report("RL503", at, `${shown} stands in a sentence; plain text was expected`, {
      inside: { offset: found.index, length: found[0].length },
    });
  }
  if (text.length > limits.templateCharsMax)
    reporter.report(
      "RL503",
      at,
      `the template has ${text.length} characters; at most ${limits.templateCharsMax} were expected`,
    );
  if (/[.!?]\s*$/.test(text))
    reporter.report("RL503", at, "the sentence ends with a full stop, which is added to it; none was expected", {
      inside: { offset: text.trimEnd().length - 1, length: 1 },
    });
}

/** Who did it is said in front of every sentence. */
function checkSubject({ text, at }: Sentence, reporter: Reporter): void {
  const found = /^\{subject[^}]*\}/.exec(text);
  if (found === null) return;
  reporter.report(
    "RL504",
    at,
    "the sentence starts with `{subject}`, which is put in front of it; a verb was expected",
    {
      inside: { offset: 0, length: found[0].length },
    },
  );
}

function checkVerbs({ text, at, captures }: Sentence, table: VerbTable, reporter: Reporter): void {
  const verbs = verbsOf(parseTemplate(text));
  if (!verbs.some(({ first }) => first) && !text.startsWith("{subject"))
    reporter.report("RL505", at, "the sentence does not start with a verb in base form", {
      inside: { offset: 0, length: Math.max(text.indexOf(" "), 1) },
    });
  for (const verb of verbs) {
    const { base } = verb;
    const words = typeof base === "string" ? [base] : enumWords(captures[base.capture]);
    const [offset, length] = typeof base === "string" ? [verb.offset, base.length] : [base.offset, base.capture.length];
    if (words.length === 0)
      reporter.report("RL505", at, "only an `enum` of verbs in base form can stand here", {
        inside: { offset, length },
      });
    for (const word of words) {
      if (pastTense(word, table) !== undefined && !isPastOnly(word, table)) continue;
      reporter.report(
        "RL505",
        at,
        `\`${word}\` is no verb in base form, or its past tense is not certain: rules/verbs.yaml was expected to have it`,
        { inside: { offset, length }, suggest: baseOf(word, table) },
      );
    }
  }
}

function enumWords(capture: CaptureEntry | undefined): string[] {
  if (Array.isArray(capture)) return [];
  const words = Object.values((capture?.values ?? {}) as Record<string, string>);
  return typeof capture?.default === "string" ? [...words, capture.default] : words;
}

/** The base form of a past tense that was written by mistake. */
function baseOf(word: string, table: VerbTable): string | undefined {
  const known = [...table].find(([, past]) => past === word)?.[0];
  if (known !== undefined) return known;
  const stem = word.replace(/ed$/, "");
  const candidates = [`${stem.replace(/i$/, "")}y`, `${stem}e`, stem, stem.slice(0, -1)];
  return candidates.find((one) => pastTense(one, table) === word);
}
