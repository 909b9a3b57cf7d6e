import { elementaryTypes, type SignatureMistake } from "../../abi/signature-mistake.ts";
import type { ReportOptions } from "../../documents/reporter.ts";
import { suggest } from "../../documents/suggest.ts";
import type { ActionTypes } from "../actions.ts";
import { mistakes, type Say } from "./mistakes.ts";

/** Passed in, so that a program with compiled rules does not load it. */
export interface AuthorHelp {
  say(message: Say): string;
  /** Undefined where none is close. */
  closest(word: string, known: readonly string[]): string | undefined;
  /** Points at the wrong word where it is known. */
  aboutSignature(error: unknown, mistake: SignatureMistake | undefined): ReportOptions & { message: string };
  /** Without a nearest type, `hint` lists similar names, or definitions about the same subject. */
  aboutAction(word: string, actions: ActionTypes): { nearest: string | undefined; hint: string; help: string };
}

export const authorHelp: AuthorHelp = {
  say: (message) => message(mistakes),

  closest(word, known) {
    const bare = word.replace(/^(?:u?int|addr|bytes)_/, "");
    const sign = signs.get(bare) ?? bare;
    return known.includes(sign) ? sign : suggest(word, known);
  },

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

/** The same characters in another order go first: `uint265` is `uint256`. */
function closestType(word: string): string | undefined {
  const letters = (text: string) => [...text].sort().join("");
  return elementaryTypes.find((type) => letters(type) === letters(word)) ?? suggest(word, elementaryTypes);
}

/** Of other languages, and of version 2, which had types before them. */
const signs: ReadonlyMap<string, string> = new Map([
  ["=", "=="],
  ["===", "=="],
  ["!==", "!="],
  ["&&", "and"],
  ["||", "or"],
  ["not", "!"],
  ["eq", "=="],
  ["gt", ">"],
  ["gte", ">="],
  ["lt", "<"],
  ["lte", "<="],
]);
