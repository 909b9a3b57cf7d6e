import { type AbiEvent, type AbiFunction, parseAbiItem } from "abitype";
import { keccakOfText } from "../../kernel/hash.ts";
import type { Hex } from "../../kernel/hex.ts";
import { type AbiItem, itemOf, type SignatureFacts, type SignatureReader, stepWord } from "./signature.ts";
import { findSignatureMistake } from "./signature-mistake.ts";

/** `event …`, `function …`, `error …` or `step …`. Throws with a sentence for the author. */
export function parseSignature(text: string): AbiItem {
  return itemOf(text, parseFacts);
}

/** Known to have no mistake; many files share them. */
const sound = new Set<string>();

export const signatureParser: SignatureReader = {
  read: parseSignature,
  mistakeIn(text) {
    if (sound.has(text)) return undefined;
    const mistake = findSignatureMistake(text);
    if (mistake === undefined) sound.add(text);
    return mistake;
  },
};

function parseFacts(text: string): SignatureFacts {
  const item = parseAbiItem(text.replace(stepWord, "function ") as "function f()") as unknown as AbiFunction | AbiEvent;
  const unnamed = item.inputs.findIndex((input) => input.name === undefined || input.name === "");
  if (unnamed >= 0) throw new Error(`parameter ${unnamed + 1} has no name`);
  const signature = `${item.name}(${item.inputs.map((input) => canonicalType(input)).join(",")})`;
  return { item, signature, hash: hashOf(item, signature, stepWord.test(text)) };
}

/** topic0 or selector. A step's hash differs from that of a function with its signature: no contract can be called with it. */
function hashOf(item: AbiFunction | AbiEvent, signature: string, step: boolean): Hex {
  if (step) return keccakOfText(`step ${signature}`).slice(0, 10) as Hex;
  const hash = keccakOfText(signature);
  return item.type === "event" ? hash : (hash.slice(0, 10) as Hex);
}

function canonicalType(parameter: { type: string; components?: readonly unknown[] }): string {
  if (!parameter.type.startsWith("tuple")) return parameter.type;
  const components = (parameter.components ?? []) as { type: string; components?: readonly unknown[] }[];
  return `(${components.map(canonicalType).join(",")})${parameter.type.slice(5)}`;
}
