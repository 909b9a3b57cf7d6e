import { escapeMarkup } from "../picture/text.ts";

/** Complete HTML that is safe to put into other HTML. */
export class Markup {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toString(): string {
    return this.text;
  }
}

/** Values for a template. Text is escaped, lists are joined, null and false add nothing. */
export type Filling = Markup | string | number | null | false | readonly Filling[];

/** An HTML template. Attributes must be in double quotes. */
export function html(parts: TemplateStringsArray, ...contents: readonly Filling[]): Markup {
  let text = parts[0] ?? "";
  for (const [i, content] of contents.entries()) text += markupOf(content) + (parts[i + 1] ?? "");
  return new Markup(text);
}

/** Takes text as safe HTML without escaping it. Only for output of our own code, such as a drawing. */
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
