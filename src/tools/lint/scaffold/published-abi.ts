import type { AbiItem } from "../../../rules/abi/signature.ts";
import { parseSignature } from "../../../rules/abi/signature-parser.ts";

/** As in a rule file. */
export interface WrittenItem {
  name: string;
  signature: string;
  item: AbiItem;
  /** It changes nothing, or takes ether, as far as the ABI says. */
  view?: boolean;
  payable?: boolean;
}

export interface PublishedContract {
  /** null: not known, or only a proxy. */
  name: string | null;
  items: readonly WrittenItem[];
  /** For a comment in the rule file. */
  source: string;
}

/** Far more than any contract has. */
const itemsMax = 2_000;

/**
 * JSON as compilers and explorers write it (a list, `abi` in an object, `result` of Etherscan and Blockscout, also as text), or signatures,
 * one a line: `event Paid(address indexed by, uint256 amount)`. Throws an Error that says what was expected.
 */
export function readAbiText(text: string): WrittenItem[] {
  const trimmed = text.trim();
  if (/^[[{]/.test(trimmed)) {
    const items = writeAbi(abiIn(JSON.parse(trimmed)));
    if (items.length === 0) throw new Error("the JSON holds no function and no event");
    return items;
  }
  const items = trimmed.split(/\r?\n/).flatMap((line) => {
    const [, signature, suffix = ""] = signatureLine.exec(line.trim()) ?? [];
    return signature === undefined ? [] : written(signature, suffix);
  });
  if (items.length === 0)
    throw new Error("expected a JSON ABI, or lines that begin with `event ` or `function ` and name every parameter");
  return items;
}

/** With words that Solidity and human-readable ABIs put behind the parameters. */
const signatureLine =
  /^((?:event|function|error)\s.*?\))((?:\s+(?:external|public|payable|view|pure|nonpayable))*)(?:\s*returns\s*\(.*\))?;?$/;

/** The list of items inside an answer. */
function abiIn(value: unknown): unknown {
  if (typeof value === "string") return /^\s*[[{]/.test(value) ? abiIn(JSON.parse(value)) : undefined;
  if (Array.isArray(value)) return value.length === 1 && value[0]?.ABI !== undefined ? abiIn(value[0].ABI) : value;
  const { abi, ABI, result } = (value ?? {}) as Record<string, unknown>;
  const inner = abi ?? ABI ?? result;
  return inner === undefined ? undefined : abiIn(inner);
}

/** Leaves out what the rule language cannot read. */
export function writeAbi(abi: unknown): WrittenItem[] {
  if (!Array.isArray(abi)) return [];
  return abi.slice(0, itemsMax).flatMap((entry) => {
    const { type, name, inputs, stateMutability } = (entry ?? {}) as Record<string, unknown>;
    if ((type !== "function" && type !== "event") || typeof name !== "string" || !Array.isArray(inputs)) return [];
    try {
      return [written(`${type} ${name}(${parametersText(inputs)})`, String(stateMutability ?? ""))];
    } catch {
      return [];
    }
  });
}

function written(signature: string, mutability: string): WrittenItem {
  const item = parseSignature(signature);
  const [view, payable] = [/\b(?:view|pure)\b/.test(mutability), /\bpayable\b/.test(mutability)];
  return { name: item.name, signature, item, ...(view && { view }), ...(payable && { payable }) };
}

function parametersText(inputs: readonly unknown[]): string {
  return inputs
    .map((input, i) => {
      const { type, name, indexed, components } = input as Record<string, unknown>;
      const text = String(type);
      const shape = text.startsWith("tuple")
        ? `(${parametersText(Array.isArray(components) ? components : [])})${text.slice("tuple".length)}`
        : text;
      const own = typeof name === "string" && name !== "" ? name : `arg${i}`;
      return `${shape}${indexed === true ? " indexed" : ""} ${own}`;
    })
    .join(", ");
}
