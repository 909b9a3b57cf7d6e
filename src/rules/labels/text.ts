/** Characters beyond printable ASCII that a label may hold: currency signs that look like no Latin letter. */
const admitted = new Set(["₮", "€"]);

/** ASCII characters that mean markup or templates in Markdown, HTML or our own summaries. */
const markup = new Set(["<", ">", "`", "{", "}", "[", "]", "|", "\\"]);

export interface TextProblem {
  /** UTF-16 position and length of the first mistake. */
  index: number;
  length: number;
  /** What is there, and what was expected. It is the end of a sentence. */
  message: string;
}

/**
 * The first reason why a label may not be shown: it is blank or longer than `charsMax`, has stray spaces, or holds a character that is not
 * allowed (printable ASCII without markup, and a short list). Undefined when there is none.
 */
export function findTextProblem(text: string, charsMax: number): TextProblem | undefined {
  if (text.trim() === "") return { index: 0, length: text.length, message: "it is blank; text was expected" };
  let index = 0;
  for (const character of text) {
    const message = describe(character);
    if (message !== undefined) return { index, length: character.length, message };
    index += character.length;
  }
  if (text.startsWith(" ")) return { index: 0, length: 1, message: "it starts with a space; none was expected" };
  const double = text.indexOf("  ");
  if (double !== -1) return { index: double + 1, length: 1, message: "it has two spaces in a row; one was expected" };
  if (text.endsWith(" "))
    return { index: text.length - 1, length: 1, message: "it ends with a space; none was expected" };
  if (text.length <= charsMax) return undefined;
  const message = `it has ${text.length} characters; at most ${charsMax} were expected`;
  return { index: charsMax, length: text.length - charsMax, message };
}

function describe(character: string): string | undefined {
  const code = character.codePointAt(0) ?? 0;
  if (code >= 0x20 && code < 0x7f) {
    return markup.has(character) ? `it holds the markup character \`${character}\`; none was expected` : undefined;
  }
  if (admitted.has(character)) return undefined;
  const name = `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
  if (/\p{Cc}/u.test(character)) return `it holds the control character ${name}; printable ASCII was expected`;
  if (/\p{Cf}|\p{Zl}|\p{Zp}/u.test(character))
    return `it holds the invisible character ${name}; printable ASCII was expected`;
  return `it holds ${name}, which can be mistaken for another character; printable ASCII was expected`;
}
