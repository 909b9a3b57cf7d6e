import type { SaidEntry } from "./entry.ts";

const path = String.raw`((?:[A-Za-z0-9_./-]|\([^)]*\))+)`;

/** Forms of a value in a sentence, with the capture that each means. */
const forms: readonly [RegExp, (parts: string[]) => SaidEntry][] = [
  [form(`at (least|most) ${path} of ${path}`), ([bound, amount, of]) => ({ [`at_${bound}`]: amount, of })],
  [form(`nft ${path} of ${path}`), ([id, nft]) => ({ nft, id })],
  [form(`${path} of ${path}`), ([amount, of]) => ({ amount, of })],
  [form(`${path} as count (\\S[^/]*)/(\\S.*)`), ([integer, one, many]) => ({ integer, one, many })],
  [form(`${path} as id`), ([number]) => ({ number })],
  [form(`${path} as count`), ([integer]) => ({ integer })],
  [form(`${path} as second`), ([time]) => ({ time, precision: "second" })],
  [form(`${path} as chain(?: (\\w+))?`), ([chain, scheme]) => ({ chain, ...(scheme && { scheme }) })],
  [form(`${path} as percent(?: (\\d+))?`), ([percent, scale]) => ({ percent, ...(scale && { scale }) })],
  [form(`${path} as other(?: on (\\w+))?`), ([other, on]) => ({ other, ...(on && { on }) })],
  [
    form(`${path} as (address|token|time|duration|hash|bytes|text|boolean)`),
    ([value, type]) => ({ [type as string]: value }),
  ],
];

function form(pattern: string): RegExp {
  return new RegExp(`^${pattern}$`);
}

/** The capture that an expression means, with the author's paths. Undefined: a bare name or path. */
export function readExpression(text: string): SaidEntry | undefined {
  for (const [pattern, make] of forms) {
    const found = pattern.exec(text);
    if (found !== null) return make(found.slice(1));
  }
  return undefined;
}
