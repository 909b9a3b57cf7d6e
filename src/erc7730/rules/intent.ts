import type { FunctionItem } from "../../abi/signature.ts";
import type { ConstantScope } from "../descriptor/constant.ts";
import { type FunctionText, readAbi, readFunction } from "../descriptor/function.ts";
import { isObject } from "../descriptor/json.ts";
import { orLeaveOut, type Part, unsupported } from "../descriptor/part.ts";
import { lowerWords, readPlain } from "../descriptor/plain-text.ts";
import { type Details, readDetails } from "./detail.ts";

/** What a descriptor says that a call of one function is meant to do. */
export interface Intent extends Details {
  /** Where the descriptor says so. */
  part: Part;
  /** Its signature, as a rule file writes it. */
  text: string;
  item: FunctionItem;
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
  if (formats.entries().length === 0) formats.leaveOut("no functions");
  const abi = readAbi(takeAbi(scope.root));
  const found = new Map<string, Intent>();
  for (const [position, [key, part]] of formats.entries().entries())
    orLeaveOut(part, () => {
      if (position >= formatsMax) unsupported(`more than ${formatsMax} functions`);
      const named = readFunction(key, abi);
      const problem = found.has(named.item.hash) ? "a function that is there twice" : problemOf(named.item.hash);
      if (problem !== undefined) unsupported(problem);
      found.set(named.item.hash, readIntent(named, part, scope));
    });
  return [...found.values()];
}

function takeAbi(root: Part): unknown {
  const abi = root.at("context", "contract", "abi");
  if (Array.isArray(abi?.value)) return abi.take();
  abi?.leaveOut("an ABI elsewhere is not fetched");
  return undefined;
}

function readIntent({ text, item }: FunctionText, part: Part, scope: ConstantScope): Intent {
  if (!isObject(part.value)) unsupported("a format that is no object");
  const intent = part.get("intent");
  if (intent === undefined) unsupported("a function without an intent");
  if (isObject(intent.value)) unsupported("an intent of labels and values, which is no sentence");
  const words = readPlain(intent.take(), "intent");
  if (words === undefined) unsupported("an intent that is not short, plain, printable ASCII text");
  return { part, text, item, words: lowerWords(words), ...readDetails(part, { ...scope, item }) };
}
