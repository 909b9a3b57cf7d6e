import type { AbiType, Value } from "../ruleset/abi-type.ts";
import { encodeTuple } from "../ruleset/encoder.ts";
import type { FunctionItem } from "../ruleset/signature.ts";

/** Values of one example; more would make files that nobody reads. */
const valuesMax = 192;

/** Calldata of a function with ones for all numbers and one element in each list. Throws an Error when it would grow too long. */
export function sampleCall(item: FunctionItem): string {
  let left = valuesMax;
  const sample = (type: AbiType): Value => {
    if (--left < 0) throw new Error("a signature with too many values for an example");
    switch (type.kind) {
      case "uint":
      case "int":
        return 1n;
      case "address":
        return sampleAddress;
      case "bool":
        return true;
      case "fixed":
        return `0x${"01".repeat(type.size)}`;
      case "bytes":
        return sampleAddress;
      case "string":
        return "text";
      case "tuple":
        return type.items.map(sample);
      case "array": {
        const length = type.length ?? 1;
        if (length > left) throw new Error("a signature with too many values for an example");
        return Array.from({ length }, () => sample(type.item));
      }
    }
  };
  return item.hash + encodeTuple(item.inputs.items, item.inputs.items.map(sample));
}

/** 20 bytes that no contract of a rule file has. */
const sampleAddress = `0x${"10".repeat(19)}01`;
