import { suggest } from "../../documents/suggest.ts";
import { allCodes, findCode, sampleOf } from "./codes.ts";

/** What a code means, what to do about it, and how it looks; undefined when there is no such code. */
export function explainCode(code: string): string | undefined {
  const known = code.toUpperCase();
  const entry = findCode(known);
  if (entry === undefined) return undefined;
  const weight = entry.blocks ? `${entry.level}; the loader refuses a file with it` : entry.level;
  const sample = sampleOf(known);
  const shown = sample && `\nBad:\n\n${indented(sample.bad)}\n\nGood:\n\n${indented(sample.good)}\n`;
  return `${known} (${weight})\n\nFinds: ${entry.finds}.\n\n${entry.help}\n${shown ?? ""}`;
}

/** The known code that was probably meant. */
export function closestCode(code: string): string | undefined {
  return suggest(code.toUpperCase(), allCodes());
}

/** Below each other, with the indent that they have in common replaced by four spaces. */
function indented(text: string): string {
  const lines = text.split("\n");
  const own = lines.filter((line) => !line.startsWith("("));
  const common = Math.min(...own.map((line) => line.search(/\S/)), ...(own.length === 0 ? [0] : []));
  return lines.map((line) => `    ${line.startsWith("(") ? line : line.slice(common)}`).join("\n");
}
