import type { AbiType, Value } from "../abi/abi-type.ts";
import { encodeTuple } from "../abi/encoder.ts";

/** ERC-8021 transaction attribution: data after the calldata that ends with this marker belongs to no call. */
const attributionMarker = "8021".repeat(8);

/**
 * Whether hex digits are exactly the canonical encoding of values. Behind it there may be an ERC-8021 suffix, and `suffix` bytes
 * at most of anything.
 */
export function isExact(actual: string, items: readonly AbiType[], values: readonly Value[], suffix = 0): boolean {
  // Counted first: elements that overlap in the data would take far more room when they are written out.
  const length = digitsOf(items, values);
  if (length > actual.length) return false;
  const canonical = encodeTuple(items, values);
  if (actual.length <= length + suffix * 2) return actual.startsWith(canonical);
  return actual.startsWith(canonical) && actual.endsWith(attributionMarker);
}

/** Hex digits of the canonical encoding of a parameter list. */
function digitsOf(items: readonly AbiType[], values: readonly Value[]): number {
  let digits = 0;
  for (let i = 0; i < items.length; i++) {
    const item = items[i] as AbiType;
    digits += item.dynamic ? 64 + tailDigits(item, values[i] as Value) : item.words * 64;
  }
  return digits;
}

function tailDigits(type: AbiType, value: Value): number {
  switch (type.kind) {
    case "bytes":
      return 64 + Math.ceil(((value as string).length - 2) / 64) * 64;
    case "string":
      return 64 + Math.ceil(Buffer.byteLength(value as string) / 32) * 64;
    case "tuple":
      return digitsOf(type.items, value as Value[]);
    case "array": {
      const values = value as Value[];
      const length = type.length === null ? 64 : 0;
      if (!type.item.dynamic) return length + values.length * type.item.words * 64;
      return values.reduce<number>((sum, item) => sum + 64 + tailDigits(type.item, item), length);
    }
    default:
      return type.words * 64;
  }
}
