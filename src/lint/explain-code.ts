import { suggest } from "../ruleset/suggest.ts";
import { allCodes, findCode } from "./codes.ts";

/** What a code means and what to do about it; undefined when there is no such code. */
export function explainCode(code: string): string | undefined {
  const entry = findCode(code.toUpperCase());
  if (entry === undefined) return undefined;
  const weight = entry.blocks ? `${entry.level}; the loader refuses a file with it` : entry.level;
  return `${code.toUpperCase()} (${weight})\n\nFinds: ${entry.finds}.\n\n${entry.help}\n`;
}

/** The known code that was probably meant. */
export function closestCode(code: string): string | undefined {
  return suggest(code.toUpperCase(), allCodes());
}
