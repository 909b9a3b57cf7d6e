import { paths } from "./links.ts";
import { type Filling, html, type Markup } from "./markup.ts";

export interface ShellOptions {
  title: string;
  /** For search engines and link previews. */
  description?: string;
  head?: Filling;
  /** Text in the search field. */
  query?: string;
  /** The page itself has the search field. */
  withoutField?: boolean;
  /** Not listed by search engines. */
  unlisted?: boolean;
}

export function shell(options: ShellOptions, content: Filling): string {
  const { title, description, head = null, unlisted = false, withoutField = false } = options;
  const page = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${title}</title>${description !== undefined && html`<meta name="description" content="${description}">`}${unlisted && html`<meta name="robots" content="noindex">`}
<meta name="color-scheme" content="light dark"><link rel="icon" href="${paths.icon}" type="image/svg+xml"><link rel="stylesheet" href="${paths.styles}">${head}</head>
<body><header class="top"><a class="brand" href="${paths.start}">txgloss</a>${withoutField ? null : findForm("find small", options.query)}<nav aria-label="Site"><a href="${paths.preview}">Before signing</a> <a href="${paths.protocols}">Protocols</a> <a href="${paths.reference}">API</a></nav></header>
<main>${content}</main>
<footer>Made by rules, without a language model: the same transaction gives the same words. Nothing here promises safety. It says what was checked and what was not.</footer></body></html>
`;
  return page.text;
}

/** Hash or explorer link; no script. */
export function findForm(className: string, query = ""): Markup {
  return html`<form class="${className}" action="${paths.find}" method="get" role="search"><label><span class="hidden">Transaction hash or link</span><input name="q" value="${query}" placeholder="Transaction hash or explorer link" required autocomplete="off" autocapitalize="off" spellcheck="false"></label><button>Explain</button></form>`;
}
