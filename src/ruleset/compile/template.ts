/** A summary template, parsed: plain text and placeholders. */
export interface Template {
  text: string;
  parts: (string | Placeholder)[];
}

export interface Placeholder {
  capture: string;
  /** Another view of the value, e.g. `full` of an address; null for the usual one. */
  facet: string | null;
  /** Offset of the placeholder's name within the template text, for messages. */
  offset: number;
}

/** Placeholders that every rule has. */
export const builtinCaptures: readonly string[] = ["subject", "protocol", "gives", "gets", "contract", "others"];

/** Views that a placeholder may ask for after a dot. */
export const facets: readonly string[] = ["full", "raw"];

/** Splits `{name}` and `{name.facet}` from the text around them. Unbalanced braces stay text; lint reports them. */
export function parseTemplate(text: string): Template {
  const parts: Template["parts"] = [];
  let last = 0;
  for (const found of text.matchAll(/\{([a-z][a-z0-9_]*)(?:\.([a-z]+))?\}/g)) {
    if (found.index > last) parts.push(text.slice(last, found.index));
    parts.push({ capture: found[1] ?? "", facet: found[2] ?? null, offset: found.index + 1 });
    last = found.index + found[0].length;
  }
  if (last < text.length) parts.push(text.slice(last));
  return { text, parts };
}

/** The placeholders of a template, in order. */
export function placeholdersOf(template: Template): Placeholder[] {
  return template.parts.filter((part): part is Placeholder => typeof part !== "string");
}
