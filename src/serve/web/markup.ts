import { escapeMarkup } from "../picture/text.ts";

/** Safe to embed. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toString(): string {
    return this.text;
  }
}

/** Text is escaped, lists joined, null and false empty. */
export type Filling = Markup | string | number | null | false | readonly Filling[];

/** Attributes in double quotes. */
export function html(parts: TemplateStringsArray, ...contents: readonly Filling[]): Markup {
  let text = parts[0] ?? "";
  for (const [i, content] of contents.entries()) text += markupOf(content) + (parts[i + 1] ?? "");
  return new Markup(text);
}

/** Unescaped: only output of our code. */
export function trustedMarkup(text: string): Markup {
  return new Markup(text);
}

function markupOf(content: Filling): string {
  if (content instanceof Markup) return content.text;
  if (content === null || content === false) return "";
  if (typeof content === "string") return escapeMarkup(content);
  if (typeof content === "number") return String(content);
  return content.map(markupOf).join("");
}
