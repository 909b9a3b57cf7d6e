/** A sentence without its subject: `swap {gives} for {gets}[ on {protocol}]`. */
export interface Template {
  text: string;
  parts: Part[];
}

export type Part = string | Placeholder | Verb | Clause;

export interface Placeholder {
  kind: "value";
  capture: string;
  /** Such as `full` for an address; null: the usual view. */
  facet: string | null;
  /** In the template text, for messages. */
  offset: number;
}

/** `swap`, `swapped`, `tried to swap`. */
export interface Verb {
  kind: "verb";
  /** Base form, or a placeholder for one. */
  base: string | Placeholder;
  /** Gets `tried to` or `would` in front. */
  first: boolean;
  offset: number;
}

/** `[one|other]`: the first alternative with all its values, or nothing. */
export interface Clause {
  kind: "clause";
  alternatives: Part[][];
}

const everywhere = ["subject", "protocol", "gives", "gets", "contract", "others"] as const;

/** Placeholders of every rule. */
export const builtinCaptures: readonly string[] = [...everywhere, "elsewhere", "chief", "shares", "payee", "senders"];

/** Placeholders of rules about messages: also allowed amounts, the carried call, the number of `parts`. */
export const messageCaptures: readonly string[] = [...everywhere, "allowed", "call", "parts"];

/** Views after a placeholder's dot. */
export const facets: readonly string[] = ["full"];

const token =
  /\{([a-z][a-z0-9_]*)(?:\.([a-z]+))?\}|<([a-z]+)>|<\{([a-z][a-z0-9_]*)\}>|(?<opens>\[)|(?<turns>\|)|(?<closes>\])/g;

/**
 * `does`: the first word is a verb, after an optional remark in brackets such as `(a Safe)`; further verbs in `<>`. Invalid notation stays
 * text; lint reports it.
 */
export function parseTemplate(text: string): Template {
  const remark = /^(?:\([^)]*\) )?/.exec(text)?.[0] ?? "";
  const verb = /^[a-z]+/.exec(text.slice(remark.length))?.[0] ?? "";
  return { text, parts: readParts(text, remark, verb) };
}

/** The first word is not inflected. */
export function parsePhrase(text: string): Template {
  return { text, parts: readParts(text, "", "") };
}

function readParts(text: string, remark: string, first: string): Part[] {
  const parts: Part[] = [];
  let open: Clause | undefined;
  const push = (part: Part): void => {
    if (part !== "") (open?.alternatives.at(-1) ?? parts).push(part);
  };
  push(remark);
  if (first !== "") push({ kind: "verb", base: first, first: true, offset: remark.length });
  let last = remark.length + first.length;
  for (const found of text.matchAll(token)) {
    const { opens, turns, closes } = found.groups ?? {};
    if ((turns ?? closes) !== undefined && open === undefined) continue;
    if (opens !== undefined && open !== undefined) continue;
    push(text.slice(last, found.index));
    last = found.index + found[0].length;
    if (opens !== undefined) {
      open = { kind: "clause", alternatives: [[]] };
      parts.push(open);
    } else if (turns !== undefined) open?.alternatives.push([]);
    else if (closes !== undefined) open = undefined;
    else push(wordOf(found, first === "" && found.index === remark.length));
  }
  push(text.slice(last));
  return parts;
}

function wordOf(found: RegExpExecArray, first: boolean): Part {
  const [, capture, facet, word, captured] = found;
  const offset = found.index + 1;
  if (capture !== undefined) return { kind: "value", capture, facet: facet ?? null, offset };
  const base: Verb["base"] =
    captured === undefined ? (word ?? "") : { kind: "value", capture: captured, facet: null, offset: offset + 1 };
  return { kind: "verb", base, first, offset };
}

/** Flattens clauses too. */
function flat(parts: readonly Part[]): Part[] {
  return parts.flatMap((part) =>
    typeof part !== "string" && part.kind === "clause" ? part.alternatives.flatMap(flat) : [part],
  );
}

/** Includes those in clauses and verbs. */
export function placeholdersOf(template: Template): Placeholder[] {
  return flat(template.parts).flatMap((part) => {
    if (typeof part === "string" || part.kind === "clause") return [];
    if (part.kind === "value") return [part];
    return typeof part.base === "string" ? [] : [part.base];
  });
}

export function verbsOf(template: Template): Verb[] {
  return flat(template.parts).flatMap((part) => (typeof part !== "string" && part.kind === "verb" ? [part] : []));
}
