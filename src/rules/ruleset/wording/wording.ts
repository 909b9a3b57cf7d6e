import { suggest } from "../../documents/suggest.ts";
import { type PhraseId, phrases } from "./phrases.ts";
import type { PlaceholderKind } from "./placeholder.ts";

export type PhraseParts = readonly (string | PhrasePart)[];

export interface PhrasePart {
  name: string;
  kind: PlaceholderKind;
  /** With a capital. */
  opening: boolean;
}

/** Forms for the count 1 and others; the same parts where the text has one form. */
export interface PhraseForms {
  one: PhraseParts;
  other: PhraseParts;
}

export interface Wording {
  phrases: Readonly<Record<PhraseId, PhraseForms>>;
  /** Solidity's panic codes. */
  panics: ReadonlyMap<bigint, string>;
}

export interface WordingDocument {
  phrases: Record<string, Record<string, PhraseText>>;
  panics?: Record<string, string>;
}

/** Resolved, and as plain data. */
export interface LaidWording {
  wording: Wording;
  document: WordingDocument;
}

export type PhraseText = string | { one: string; other: string };

export interface WordingProblem {
  path: string[];
  message: string;
  key: boolean;
  /** Probably meant. */
  meant?: string | undefined;
}

const kinds: Readonly<Record<string, Readonly<Record<string, PlaceholderKind>>>> = phrases;

/** Problems: unknown or missing phrases, and placeholders that a phrase does not have or leaves out. */
export function resolveWording({ phrases: sections, panics = {} }: WordingDocument): {
  wording: Wording;
  problems: WordingProblem[];
} {
  const problems: WordingProblem[] = [];
  const forms: Record<string, PhraseForms> = {};
  for (const [section, texts] of Object.entries(sections))
    for (const [name, text] of Object.entries(texts)) {
      const id = `${section}.${name}`;
      const path = ["phrases", section, name];
      const message = `nothing says the phrase \`${id}\``;
      if (Object.hasOwn(kinds, id)) forms[id] = formsOf(id, text, path, problems);
      else problems.push({ path, message, key: true, meant: suggest(name, namesOf(section)) });
    }
  for (const id of Object.keys(kinds)) {
    if (forms[id] !== undefined) continue;
    problems.push({ path: ["phrases"], message: `the phrase \`${id}\` is missing`, key: true });
    forms[id] = { one: [id], other: [id] };
  }
  const words = new Map(Object.entries(panics).map(([code, text]) => [BigInt(code), text]));
  return { wording: { phrases: forms as Wording["phrases"], panics: words }, problems };
}

/** Own texts win. */
export function layWording(base: WordingDocument, own: WordingDocument): WordingDocument {
  const sections = Object.keys({ ...base.phrases, ...own.phrases });
  return {
    phrases: Object.fromEntries(sections.map((name) => [name, { ...base.phrases[name], ...own.phrases[name] }])),
    panics: { ...base.panics, ...own.panics },
  };
}

function formsOf(id: string, text: PhraseText, path: string[], problems: WordingProblem[]): PhraseForms {
  if (typeof text === "string") {
    const parts = partsOf(id, text, path, problems);
    return { one: parts, other: parts };
  }
  if (!Object.hasOwn(kinds[id] ?? {}, "count"))
    problems.push({ path, message: `the phrase \`${id}\` has no count to choose a form by`, key: false });
  return {
    one: partsOf(id, text.one, [...path, "one"], problems),
    other: partsOf(id, text.other, [...path, "other"], problems),
  };
}

/** `count` may be left out: it may serve only to choose the form. */
function partsOf(id: string, text: string, path: string[], problems: WordingProblem[]): PhraseParts {
  const taken = kinds[id] ?? {};
  const names = Object.keys(taken);
  const report = (message: string, meant?: string) => problems.push({ path, message, key: false, meant });
  const parts: (string | PhrasePart)[] = [];
  const used = new Set<string>();
  for (const piece of text.split(/(\{[^{}]*\})/)) {
    if (piece === "") continue;
    const [, name, facet] = /^\{([a-z_]+)(\.[a-z]*)?\}$/.exec(piece) ?? [];
    const kind = name === undefined || !Object.hasOwn(taken, name) ? undefined : taken[name];
    if (!/[{}]/.test(piece)) parts.push(piece);
    else if (name === undefined) report(`\`${piece.trim()}\` has a brace without a placeholder`);
    else if (kind === undefined)
      report(`\`${id}\` has no placeholder \`{${name}}\`; ${listed(names)}`, suggest(name, names));
    else if (facet !== undefined && facet !== ".opening")
      report(`\`${piece}\` asks for an unknown view; \`{${name}.opening}\` is the only one`);
    else {
      used.add(name);
      parts.push({ name, kind, opening: facet !== undefined });
    }
  }
  for (const name of names)
    if (name !== "count" && !used.has(name)) report(`\`${id}\` leaves out its placeholder \`{${name}}\``);
  return parts;
}

function listed(names: readonly string[]): string {
  return names.length === 0 ? "it has none" : `it has ${names.map((name) => `\`{${name}}\``).join(", ")}`;
}

function namesOf(section: string): string[] {
  return Object.keys(kinds).flatMap((id) => (id.startsWith(`${section}.`) ? [id.slice(section.length + 1)] : []));
}
