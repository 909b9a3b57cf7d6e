import type { FunctionItem } from "../abi/signature.ts";
import type { ConstantScope } from "./constant.ts";
import { type Details, readDetails } from "./detail.ts";
import { type FunctionText, readAbi, readFunction } from "./function-text.ts";
import { isObject } from "./json-tree.ts";
import { type Part, refuseFor, Unfit } from "./part.ts";
import { lowerWords, readPlain } from "./plain-text.ts";

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
 * The intents of a merged descriptor in its order, one for each selector that `refuse` has nothing against; what cannot be
 * expressed is listed.
 */
export function readIntents(scope: ConstantScope, refuse: (selector: string) => string | undefined): Intent[] {
  const formats = scope.root.at("display", "formats");
  if (!isObject(formats?.value)) throw new Unfit("no formats: the descriptor is left out", formats);
  if (formats.children().length === 0) formats.refuse("no functions");
  const abi = readAbi(takeAbi(scope.root));
  const found = new Map<string, Intent>();
  for (const [position, [key, part]] of formats.children().entries()) {
    try {
      if (position >= formatsMax) throw new Unfit(`more than ${formatsMax} functions`);
      const named = readFunction(key, abi);
      if (found.has(named.item.hash)) throw new Unfit("a function that is there twice");
      const problem = refuse(named.item.hash);
      if (problem !== undefined) throw new Unfit(problem);
      found.set(named.item.hash, readIntent(named, part, scope));
    } catch (error) {
      refuseFor(part, error);
    }
  }
  return [...found.values()];
}

function takeAbi(root: Part): unknown {
  const abi = root.at("context", "contract", "abi");
  if (Array.isArray(abi?.value)) return abi.take();
  abi?.refuse("an ABI elsewhere is not fetched");
  return undefined;
}

function readIntent({ text, item }: FunctionText, part: Part, scope: ConstantScope): Intent {
  if (!isObject(part.value)) throw new Unfit("a format that is no object");
  const intent = part.get("intent");
  if (intent === undefined) throw new Unfit("a function without an intent");
  if (isObject(intent.value)) throw new Unfit("an intent of labels and values, which is no sentence");
  const words = readPlain(intent.take(), "intent");
  if (words === undefined) throw new Unfit("an intent that is not short, plain, printable ASCII text");
  return { part, text, item, words: lowerWords(words), ...readDetails(part, { ...scope, item }) };
}
