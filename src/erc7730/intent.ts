import type { FunctionItem } from "../ruleset/signature.ts";
import { captureField, type FieldCapture } from "./field-capture.ts";
import { readFields } from "./field-list.ts";
import { type Listing, printable } from "./finding.ts";
import { type FunctionText, readAbi, readFunction } from "./function-text.ts";
import { isObject, type JsonObject, own, ownAt } from "./json-tree.ts";
import { lowerWords, readPlain } from "./plain-text.ts";

/** What a descriptor says that a call of one function is meant to do. */
export interface Intent {
  /** Its signature, as a rule file writes it. */
  text: string;
  item: FunctionItem;
  /** As it stands after "to": `deposit into the vault`. */
  words: string;
  details: readonly IntentDetail[];
}

export interface IntentDetail extends FieldCapture {
  /** Words before the value. */
  label: string;
}

/** Fields that one sentence tells. */
const detailsMax = 2;
/** Functions of one descriptor. */
const formatsMax = 256;

/** The intents of a merged descriptor in its order, one for each selector; what cannot be expressed is listed. */
export function readIntents(descriptor: JsonObject, list: Listing): Intent[] {
  const formats = ownAt(descriptor, "display", "formats");
  if (!isObject(formats)) {
    list("display.formats", "no formats");
    return [];
  }
  const stated = ownAt(descriptor, "context", "contract", "abi");
  if (stated !== undefined && !Array.isArray(stated)) list("context.contract.abi", "an ABI elsewhere is not fetched");
  const abi = readAbi(stated);
  const found = new Map<string, Intent>();
  for (const [position, [key, format]] of Object.entries(formats).entries()) {
    const place = printable(key);
    if (position >= formatsMax) {
      list("display.formats", `more than ${formatsMax} functions`);
      break;
    }
    try {
      const named = readFunction(key, abi);
      if (found.has(named.item.hash)) throw new Error("a function that is there twice");
      found.set(
        named.item.hash,
        readIntent(named, format, descriptor, (at, why) => list(`${named.item.name} ${at}`.trim(), why)),
      );
    } catch (error) {
      list(place, (error as Error).message);
    }
  }
  return [...found.values()];
}

function readIntent({ text, item }: FunctionText, format: unknown, descriptor: JsonObject, list: Listing): Intent {
  if (!isObject(format)) throw new Error("a format that is no object");
  const words = readPlain(own(format, "intent"), "intent");
  if (words === undefined)
    throw new Error(
      own(format, "intent") === undefined
        ? "a function without an intent"
        : "an intent that is not short, plain, printable ASCII text",
    );
  return {
    text,
    item,
    words: lowerWords(words),
    details: readDetails(readFields(format, descriptor, list), item, list),
  };
}

function readDetails(fields: readonly JsonObject[], item: FunctionItem, list: Listing): IntentDetail[] {
  const details: IntentDetail[] = [];
  for (const field of fields) {
    const place = printable(own(field, "path") ?? own(field, "label"));
    if (own(field, "visible") === "never") {
      list(place, "a field that is never shown");
      continue;
    }
    try {
      const made = captureField(field, item);
      const label = readPlain(own(field, "label"), "label");
      if (label === undefined) throw new Error("a label that is not short, plain, printable ASCII text");
      if (details.length >= detailsMax) throw new Error(`more than ${detailsMax} fields for one sentence`);
      details.push({ ...made, label: lowerWords(label) });
    } catch (error) {
      list(place, (error as Error).message);
    }
  }
  return details;
}
