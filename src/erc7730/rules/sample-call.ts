import type { AbiType, Value } from "../../abi/abi-type.ts";
import { encodeTuple } from "../../abi/encoder.ts";
import type { FunctionItem } from "../../abi/signature.ts";
import { unsupported } from "../descriptor/part.ts";

/** How the arguments of an example are chosen. */
export interface SampleOrder {
  /** Nothing is zero, and lists have elements; else everything is zero and empty. */
  full: boolean;
  elements: number;
  bytes: number;
  /** Values by slot, such as `order.hops.*`. */
  chosen: ReadonlyMap<string, Value>;
}

/** Values of one example; more would make files that nobody reads. */
const valuesMax = 192;

/** 20 bytes that no contract of a rule file has. */
export const sampleAddress = `0x${"10".repeat(19)}01`;

/** Calldata of a function. Throws UnsupportedError when it would grow too long. */
export function sampleCall(item: FunctionItem, order: SampleOrder): string {
  let left = valuesMax;
  const sample = (type: AbiType, slot: string): Value => {
    if (--left < 0) unsupported("a signature with too many values for an example");
    if (type.kind === "tuple")
      return type.items.map((inner, i) => sample(inner, slot === "" ? `${type.names[i]}` : `${slot}.${type.names[i]}`));
    if (type.kind === "array") {
      const length = type.length ?? Math.max(order.full ? 1 : 0, order.elements);
      if (length > left) unsupported("a signature with too many values for an example");
      return Array.from({ length }, () => sample(type.item, `${slot}.*`));
    }
    return order.chosen.get(slot) ?? plainValue(type, order);
  };
  return item.hash + encodeTuple(item.inputs.items, sample(item.inputs, "") as Value[]);
}

function plainValue(type: AbiType, { full, bytes }: SampleOrder): Value {
  switch (type.kind) {
    case "uint":
    case "int":
      return full ? 1n : 0n;
    case "address":
      return full ? sampleAddress : `0x${"0".repeat(40)}`;
    case "bool":
      return full;
    case "fixed":
      return `0x${(full ? "01" : "00").repeat(type.size)}`;
    case "bytes":
      return full ? `0x${"10".repeat(Math.max(20, bytes))}` : "0x";
    case "string":
      return full ? "text" : "";
    default:
      return 0n;
  }
}
