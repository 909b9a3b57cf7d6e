import type { AbiFunction } from "viem";
import { parseAbiItem, toFunctionSelector } from "viem/utils";
import { type MessageItem, parseMessage } from "../../rules/abi/message.ts";
import type { FunctionItem } from "../../rules/abi/signature.ts";
import { parseSignature } from "../../rules/abi/signature-parser.ts";
import { type DescriptorPart, orUnsupported, own, unsupported } from "./descriptor/part.ts";

/** Characters of one signature. */
const charsMax = 1_500;
/** Entries of an ABI. */
const entriesMax = 2_000;
/** Nesting of struct types. */
const depthMax = 6;

export type ActItem = FunctionItem | MessageItem;

/** Text as in a rule file: `function f(address to, (uint256 a, uint256 b) pair)`. */
export interface ActText<Item extends ActItem = ActItem> {
  text: string;
  item: Item;
}

type FunctionText = ActText<FunctionItem>;

/** `key`: of `display.formats`, an EIP-712 `encodeType`. Throws UnsupportedError. */
export function readMessageType(key: string): ActText {
  const text = `message ${key.trim()}`;
  if (text.length > charsMax) unsupported("a message type that is too long");
  return { text, item: orUnsupported("a key that is no type of a message", () => parseMessage(text)) };
}

/** Functions by selector. Unreadable entries are skipped: the keys that need them are reported. */
export function readAbi(abi: DescriptorPart | undefined): ReadonlyMap<string, FunctionText> {
  const found = new Map<string, FunctionText>();
  const entries = abi?.elements();
  if (entries === undefined) abi?.leaveOut("an ABI elsewhere is not fetched");
  else abi?.take();
  for (const { value: entry } of entries?.slice(0, entriesMax) ?? []) {
    if (own(entry, "type") !== "function") continue;
    try {
      const made = write(own(entry, "name"), own(entry, "inputs"));
      if (!found.has(made.item.hash)) found.set(made.item.hash, made);
    } catch {}
  }
  return found;
}

/** `key`: of `display.formats`, a signature (names from the ABI, else arg0, arg1, …) or a selector of the ABI. Throws UnsupportedError. */
export function readFunction(key: string, abi: ReadonlyMap<string, FunctionText>): FunctionText {
  if (/^0x[0-9a-fA-F]{8}$/.test(key))
    return abi.get(key.toLowerCase()) ?? unsupported("a selector whose signature the descriptor does not hold");
  const text = key
    .trim()
    .replace(/^function\s+/, "")
    .replace(/\btuple\s*\(/g, "(");
  if (text.length > charsMax || !/^[A-Za-z_]\w*\s*\([\w\s,()[\]]*\)$/.test(text))
    unsupported("a key that is neither a signature nor a selector");
  const parsed = orUnsupported(
    "a signature that does not parse",
    () => parseAbiItem(`function ${text}` as "function f()") as unknown as AbiFunction,
  );
  const known = abi.get(toFunctionSelector(parsed));
  const named = parsed.inputs.every((input) => input.name !== undefined && input.name !== "");
  return known !== undefined && !named ? known : write(parsed.name, parsed.inputs);
}

/** Unchecked JSON of an ABI. Throws UnsupportedError. */
function write(name: unknown, inputs: unknown): FunctionText {
  if (!isIdentifier(name) || !Array.isArray(inputs)) unsupported("a signature that does not parse");
  const text = `function ${name}(${parametersText(inputs, 0)})`;
  if (text.length > charsMax) unsupported("a signature that is too long");
  const item = orUnsupported("a signature that the rule language cannot read", () => parseSignature(text));
  return { text, item: item as FunctionItem };
}

function parametersText(inputs: readonly unknown[], depth: number): string {
  if (depth > depthMax) unsupported("structs that nest too deep");
  const texts = inputs.map((input, position) => {
    const type = own(input, "type");
    const name = own(input, "name") || `arg${position}`;
    if (!isIdentifier(name) || typeof type !== "string" || !typePattern.test(type))
      unsupported("a parameter whose name or type cannot be written");
    if (!type.startsWith("tuple")) return `${type} ${name}`;
    const components = own(input, "components");
    if (!Array.isArray(components) || components.length === 0) unsupported("a struct without members");
    return `(${parametersText(components, depth + 1)})${type.slice("tuple".length)} ${name}`;
  });
  return texts.join(", ");
}

const typePattern = /^(?:tuple|address|bool|string|bytes\d{0,2}|u?int\d{0,3})(?:\[\d{0,3}\]){0,3}$/;

function isIdentifier(name: unknown): name is string {
  return typeof name === "string" && /^[A-Za-z_]\w{0,63}$/.test(name);
}
