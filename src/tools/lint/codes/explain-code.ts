import { suggest } from "../../../rules/documents/suggest.ts";
import { type MutationKind, mutationKinds, refusedKinds } from "../mutation/mutant.ts";
import { allCodes, findCode, sampleOf } from "./codes.ts";

/** Explains a code: what it finds, what to do, and bad and good lines; undefined for an unknown code. */
export function explainCode(code: string): string | undefined {
  const known = code.toUpperCase();
  const entry = findCode(known);
  if (entry === undefined) return undefined;
  const weight = entry.blocks ? `${entry.level}; the loader refuses a file with it` : entry.level;
  const sample = sampleOf(known);
  const shown = sample && `\nBad:\n\n${indented(sample.bad)}\n\nGood:\n\n${indented(sample.good)}\n`;
  return `${known} (${weight})\n\nFinds: ${entry.finds}.\n\n${entry.help}\n${shown ?? ""}`;
}

/** Explains a forgery of `--mutate`, and what it means that one survives; undefined for an unknown name. */
export function explainForgery(name: string): string | undefined {
  if (!Object.hasOwn(mutationKinds, name)) return undefined;
  const kind = name as MutationKind;
  const meaning = refusedKinds.includes(kind)
    ? "Every one must be seen through. Where it is right that one is not, the rule says why, in `survives`."
    : "One that survives shows a rule that asks for too little.";
  return `${kind} (a forgery of --mutate)\n\nForged: ${mutationKinds[kind]}.\n\n${meaning}\n`;
}

/** The known code or forgery that was probably meant. */
export function closestCode(code: string): string | undefined {
  return suggest(code.toUpperCase(), allCodes()) ?? suggest(code, Object.keys(mutationKinds));
}

/** The lines of a sample. Their common indent is replaced by four spaces. */
function indented(text: string): string {
  const lines = text.split("\n");
  const own = lines.filter((line) => !line.startsWith("("));
  const common = Math.min(...own.map((line) => line.search(/\S/)), ...(own.length === 0 ? [0] : []));
  return lines.map((line) => `    ${line.startsWith("(") ? line : line.slice(common)}`).join("\n");
}
