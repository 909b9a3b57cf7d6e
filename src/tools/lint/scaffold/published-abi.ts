import type { AbiItem } from "../../../rules/abi/signature.ts";
import { parseSignature } from "../../../rules/abi/signature-parser.ts";

/** As in a rule file. */
export interface WrittenItem {
  name: string;
  signature: string;
  item: AbiItem;
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
 * JSON (a list, or `abi` in an object), or signatures, one a line: `event Paid(address indexed by, uint256 amount)`. Throws an Error that
 * says what was expected.
 */
export function readAbiText(text: string): WrittenItem[] {
  const trimmed = text.trim();
  if (/^[[{]/.test(trimmed)) {
    const value: unknown = JSON.parse(trimmed);
    const items = writeAbi(Array.isArray(value) ? value : (value as { abi?: unknown } | null)?.abi);
    if (items.length === 0) throw new Error("the JSON holds no function and no event");
    return items;
  }
  const lines = trimmed.split(/\r?\n/).map((line) => line.trim().replace(/;$/, ""));
  const items = lines.flatMap((line) => (/^(?:event|function|error)\s/.test(line) ? [written(line)] : []));
  if (items.length === 0)
    throw new Error("expected a JSON ABI, or lines that begin with `event ` or `function ` and name every parameter");
  return items;
}

/** Leaves out what the rule language cannot read. */
export function writeAbi(abi: unknown): WrittenItem[] {
  if (!Array.isArray(abi)) return [];
  return abi.slice(0, itemsMax).flatMap((entry) => {
    const { type, name, inputs } = (entry ?? {}) as Record<string, unknown>;
    if ((type !== "function" && type !== "event") || typeof name !== "string" || !Array.isArray(inputs)) return [];
    try {
      return [written(`${type} ${name}(${parametersText(inputs)})`)];
    } catch {
      return [];
    }
  });
}

function written(signature: string): WrittenItem {
  const item = parseSignature(signature);
  return { name: item.name, signature, item };
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
