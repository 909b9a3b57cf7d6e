import type { AbiType, TupleType, Value } from "../../../rules/abi/abi-type.ts";

/** A value, with the path by which a rule reads it. */
export interface Argument {
  path: string;
  name: string;
  type: AbiType;
  value: bigint | string | boolean;
}

/** Nesting of structs. */
const depthMax = 3;

/** Single values; arrays and bytes are left to the author. */
export function listArguments(inputs: TupleType, values: readonly Value[]): Argument[] {
  return flatten(inputs, values, "args", 0);
}

function flatten({ items, names }: TupleType, values: readonly Value[], path: string, depth: number): Argument[] {
  return items.flatMap((type, i): Argument[] => {
    const value = values[i];
    const name = names[i] ?? "";
    const own = `${path}.${name}`;
    if (type.kind === "tuple" && Array.isArray(value))
      return depth < depthMax ? flatten(type, value, own, depth + 1) : [];
    if (value === undefined || Array.isArray(value) || type.kind === "bytes") return [];
    return [{ path: own, name, type, value }];
  });
}

/** Unix seconds, 2001 to 2065. */
const [firstTime, lastTime] = [1_000_000_000n, 3_000_000_000n];

const plainCaptures: Partial<Record<AbiType["kind"], string>> = { address: "address", bool: "boolean", string: "text" };

/** In braces of a sentence; undefined for types that no sentence shows. */
export function captureText({ path, name, type, value }: Argument): string | undefined {
  const capture = plainCaptures[type.kind];
  if (capture !== undefined) return `${path} as ${capture}`;
  if (type.kind !== "uint" && type.kind !== "int") return undefined;
  const dated = /time|deadline|until|expir|start|end/i.test(name) && type.kind === "uint";
  const inRange = typeof value === "bigint" && value > firstTime && value < lastTime;
  if (dated && inRange) return `${path} as time`;
  return /(Id|^id|^index|^nonce|^number)$/.test(name) ? `${path} as id` : `${path} as count`;
}

/** `unlock_time` for `unlockTime`; from camel, snake and kebab case. */
export function snakeCase(name: string): string {
  return name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replace(/([A-Z])([A-Z][a-z])/g, "$1 $2")
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== "")
    .join("_")
    .toLowerCase();
}
