import { elementaryTypes, type SignatureMistake } from "../../abi/signature-mistake.ts";
import type { ReportOptions } from "../../documents/reporter.ts";
import { suggest } from "../../documents/suggest.ts";
import type { ActionTypes } from "../actions.ts";

/**
 * What the author of a rule file may have meant. It is handed in: rules that were compiled before have no mistake, so whoever decides by
 * them loads none of this.
 */
export interface AuthorHelp {
  /** The known word that is closest to a mistyped one; undefined where none is close. */
  closest(word: string, known: readonly string[]): string | undefined;
  /** A short message, with what else there is to know. */
  inFull(message: string): string;
  /** What is said of a signature that does not parse, at the word that is wrong where that is known. */
  aboutSignature(error: unknown, mistake: SignatureMistake | undefined): ReportOptions & { message: string };
  /** The action type that was probably meant; where there is none, `hint` names those whose names or definitions speak of it. */
  aboutAction(word: string, actions: ActionTypes): { nearest: string | undefined; hint: string; help: string };
}

export const authorHelp: AuthorHelp = {
  closest(word, known) {
    const operator = signs.get(word) ?? `uint_${word}`;
    return known.includes(operator) ? operator : suggest(word, known);
  },

  inFull: (message) => fuller.reduce((text, [part, words]) => text.replace(part, words), message),

  aboutSignature(error, mistake) {
    const { offset, length, message = "", word } = mistake ?? {};
    if (offset !== undefined && length !== undefined)
      return { message, inside: { offset, length }, suggest: word && closestType(word) };
    const words = error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error);
    return { message: `the signature does not parse: ${words}` };
  },

  aboutAction(word, actions) {
    const names = [...actions.keys()];
    const stems = word
      .split("_")
      .flatMap((part) => (part.length < 4 ? [] : part.slice(0, Math.max(4, part.length - 2))));
    const speaksOfIt = (text: string) => stems.some((stem) => text.includes(stem));
    const alike = names.filter((name) => speaksOfIt(name));
    const nearest = suggest(word, names) ?? (alike.length === 1 ? alike[0] : undefined);
    const help = `There are ${names.join(", ")}. rules/actions.yaml says what each means; the list is closed.`;
    if (nearest !== undefined) return { nearest, hint: "", help };
    const defined = names.filter((name) => speaksOfIt(actions.get(name)?.definition ?? ""));
    const about = (alike.length > 0 ? alike : defined).map((name) => `\`${name}\``);
    return { nearest, hint: about.length > 0 ? `; perhaps ${about.join(" or ")}` : "", help };
  },
};

/** What is said in place of parts of short messages. */
const fuller: readonly [RegExp, string][] = [
  [/ is no flow$/, "$&: write nothing, any, or one, two, some, several with fungible, native, erc20 or nft"],
  [/^`[A-Z][A-Z0-9.]+` names nothing$/, "$&; a token is told by a path, by `native` or by its address in quotes"],
  [
    /^`"(.*[<>=].*)"` is constant$/s,
    '`$1` is text and not read as a condition; one such as `{ uint_gt: [{ var: args.amount }, "0"] }` was expected',
  ],
  [/^`.*` is constant$/s, "$&: a condition must depend on the transaction"],
  [/^`(.*)` is plain text here$/s, "$&; `{ var: $1 }` reads the path"],
  [/(?<= is a message) here$/, ", which only `sign` takes"],
  [/^no operand$/, "a string, an integer, a bool or a `var` was expected"],
  [/^no literal$/, "a list holds strings, bools or integers"],
  [/^no value$/, "an operand is a literal or a `var`"],
  [/^no operator$/, "a condition has exactly one operator"],
  [/^`\{.*\}` has no value here$/, "$&; `{account}` has"],
  [/^no contract is known here$/, "$&: contract roles of this file are expected"],
  [/^a fee names no receiver$/, "$&: write `to`, or both `token` and `amount`"],
  [/(?<= is not )address(?= among the arguments of )/, "an address"],
  [/(?<= is not )bool(?= among the arguments of )/, "true or false"],
  [/(?<= is not )uint(?= among the arguments of )/, "an integer"],
  [/(?<= is not )array(?= among the arguments of )/, "a list"],
];

/** Letters and digits that changed places are meant before others: `uint265` is `uint256`. */
function closestType(word: string): string | undefined {
  const letters = (text: string) => [...text].sort().join("");
  return elementaryTypes.find((type) => letters(type) === letters(word)) ?? suggest(word, elementaryTypes);
}

/** Signs that other languages have for our operators. */
const signs: ReadonlyMap<string, string> = new Map([
  [">", "uint_gt"],
  [">=", "uint_gte"],
  ["<", "uint_lt"],
  ["<=", "uint_lte"],
  ["=", "=="],
  ["===", "=="],
  ["!==", "!="],
  ["&&", "and"],
  ["||", "or"],
  ["not", "!"],
  ["eq", "=="],
]);
