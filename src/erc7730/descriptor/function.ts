import { type AbiFunction, type AbiParameter, parseAbiItem, toFunctionSelector } from "viem";
import { type FunctionItem, parseSignature } from "../../abi/signature.ts";
import { isObject, type JsonObject, own } from "./json.ts";
import { unsupported } from "./part.ts";

/** Characters of one signature. */
const charsMax = 1_500;
/** Nesting of struct types. */
const depthMax = 6;

/** A function as a rule file writes it: `function f(address to, (uint256 a, uint256 b) pair)`. */
export interface FunctionText {
  text: string;
  item: FunctionItem;
}

/** The functions of a descriptor's ABI by selector; anything unfit is passed over, since keys that need it are listed. */
export function readAbi(abi: unknown): ReadonlyMap<string, FunctionText> {
  const found = new Map<string, FunctionText>();
  for (const entry of Array.isArray(abi) ? abi.slice(0, 2_000) : []) {
    if (own(entry, "type") !== "function") continue;
    try {
      const made = write(own(entry, "name"), own(entry, "inputs"));
      if (!found.has(made.item.hash)) found.set(made.item.hash, made);
    } catch {}
  }
  return found;
}

/**
 * The function behind a key of `display.formats`: a signature, whose unnamed parameters take the names that the ABI has, else
 * arg0, arg1, …; or a selector that the ABI has. Throws UnsupportedError.
 */
export function readFunction(key: string, abi: ReadonlyMap<string, FunctionText>): FunctionText {
  if (/^0x[0-9a-fA-F]{8}$/.test(key)) {
    const known = abi.get(key.toLowerCase());
    if (known === undefined) unsupported("a selector whose signature the descriptor does not hold");
    return known;
  }
  const text = key
    .trim()
    .replace(/^function\s+/, "")
    .replace(/\btuple\s*\(/g, "(");
  if (text.length > charsMax || !/^[A-Za-z_]\w*\s*\([\w\s,()[\]]*\)$/.test(text))
    unsupported("a key that is neither a signature nor a selector");
  const parsed = parseText(text);
  const known = abi.get(toFunctionSelector(parsed));
  const named = parsed.inputs.every((input) => input.name !== undefined && input.name !== "");
  return known !== undefined && !named ? known : write(parsed.name, parsed.inputs);
}

function parseText(text: string): AbiFunction {
  try {
    return parseAbiItem(`function ${text}` as "function f()") as unknown as AbiFunction;
  } catch {
    unsupported("a signature that does not parse");
  }
}

function write(name: unknown, inputs: unknown): FunctionText {
  if (typeof name !== "string" || !/^[A-Za-z_]\w{0,63}$/.test(name) || !Array.isArray(inputs))
    unsupported("a signature that does not parse");
  const text = `function ${name}(${parametersText(inputs, 0)})`;
  if (text.length > charsMax) unsupported("a signature that is too long");
  try {
    return { text, item: parseSignature(text) as FunctionItem };
  } catch {
    unsupported("a signature that the rule language cannot read");
  }
}

function parametersText(inputs: readonly unknown[], depth: number): string {
  if (depth > depthMax) unsupported("structs that nest too deep");
  return inputs.map((input, i) => parameterText(input as AbiParameter, i, depth)).join(", ");
}

function parameterText(input: unknown, position: number, depth: number): string {
  const [type, given] = [own(input, "type"), own(input, "name")];
  const name = given === undefined || given === "" ? `arg${position}` : given;
  if (!isObject(input) || typeof type !== "string" || typeof name !== "string" || !/^[A-Za-z_]\w{0,63}$/.test(name))
    unsupported("a parameter whose name or type cannot be written");
  if (/^tuple(?:\[\d{0,3}\]){0,3}$/.test(type)) return `(${componentsText(input, depth)})${type.slice(5)} ${name}`;
  if (!/^(?:address|bool|string|bytes\d{0,2}|u?int\d{0,3})(?:\[\d{0,3}\]){0,3}$/.test(type))
    unsupported("a parameter whose name or type cannot be written");
  return `${type} ${name}`;
}

function componentsText(input: JsonObject, depth: number): string {
  const components = own(input, "components");
  if (!Array.isArray(components) || components.length === 0) unsupported("a struct without members");
  return parametersText(components, depth + 1);
}
