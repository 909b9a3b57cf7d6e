import type { ConstantScope } from "../descriptor/constant.ts";
import { type FunctionText, readAbi, readFunction } from "../descriptor/function.ts";
import { isObject } from "../descriptor/json.ts";
import { orLeaveOut, type Part, unsupported } from "../descriptor/part.ts";
import { lowerWords, requirePlain } from "../descriptor/plain-text.ts";
import { readDetails, type ToldFields } from "./detail.ts";

/** What a descriptor says that a call of one function is meant to do. */
export interface Intent extends FunctionText, ToldFields {
  /** Where the descriptor says so. */
  part: Part;
  /** As it stands after "to": `deposit into the vault`. */
  words: string;
}

/** Functions of one descriptor. */
const formatsMax = 256;

/**
 * The intents of a merged descriptor in its order, one for each selector. `problemOf` says why a selector is not wanted. What
 * cannot be expressed is reported.
 */
export function readIntents(scope: ConstantScope, problemOf: (selector: string) => string | undefined): Intent[] {
  const formats = scope.root.at("display", "formats");
  if (!isObject(formats?.value)) unsupported("no formats: the descriptor is left out", formats);
  const entries = formats?.entries() ?? [];
  if (entries.length === 0) formats?.leaveOut("no functions");
  const abi = readAbi(scope.root.at("context", "contract", "abi"));
  const found = new Map<string, Intent>();
  for (const [position, [key, part]] of entries.entries())
    orLeaveOut(part, () => {
      if (position >= formatsMax) unsupported(`more than ${formatsMax} functions`);
      const named = readFunction(key, abi);
      const { hash } = named.item;
      const problem = found.has(hash) ? "a function that is there twice" : problemOf(hash);
      if (problem !== undefined) unsupported(problem);
      found.set(hash, { ...named, part, words: readWords(part), ...readDetails(part, { ...scope, item: named.item }) });
    });
  return [...found.values()];
}

function readWords(part: Part): string {
  if (!isObject(part.value)) unsupported("a format that is no object");
  const intent = part.get("intent") ?? unsupported("a function without an intent");
  if (isObject(intent.value)) unsupported("an intent of labels and values, which is no sentence");
  return lowerWords(requirePlain(intent.take(), "intent"));
}
