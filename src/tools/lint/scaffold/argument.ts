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

/** Words of the language, and of drafts: an argument of the same name is written with `args.`. */
const words = new Set(
  `args input legs emitter call tx flow target target_flow contracts count move item authority delegate subject native domain protocol
  contract gives gets others elsewhere senders chief shares payee rest paid got zero any`.split(/\s+/),
);

/** Single values; arrays and bytes are left to the author. `roles`: of the file, which a path must not be taken for. */
export function listArguments(inputs: TupleType, values: readonly Value[], roles: readonly string[] = []): Argument[] {
  const rootOf = (name: string) => (words.has(name) || roles.includes(name) ? `args.${name}` : name);
  return flatten(inputs, values, rootOf, 0);
}

function flatten(
  { items, names }: TupleType,
  values: readonly Value[],
  pathOf: (name: string) => string,
  depth: number,
): Argument[] {
  return items.flatMap((type, i): Argument[] => {
    const value = values[i];
    const name = names[i] ?? "";
    const own = pathOf(name);
    if (type.kind === "tuple" && Array.isArray(value))
      return depth < depthMax ? flatten(type, value, (inner) => `${own}.${inner}`, depth + 1) : [];
    if (value === undefined || Array.isArray(value) || type.kind === "bytes") return [];
    return [{ path: own, name, type, value }];
  });
}

/** Unix seconds, 2001 to 2065. */
const [firstTime, lastTime] = [1_000_000_000n, 3_000_000_000n];

/** What prints it in a sentence; undefined for types that no sentence shows. */
export function placeholderOf({ path, name, type, value }: Argument): string | undefined {
  if (type.kind === "address" || type.kind === "bool" || type.kind === "string") return `{${path}}`;
  if (type.kind !== "uint" && type.kind !== "int") return undefined;
  const dated = /time|deadline|until|expir|start|end/i.test(name) && type.kind === "uint";
  const inRange = typeof value === "bigint" && value > firstTime && value < lastTime;
  if (dated && inRange) return `{${path} as time}`;
  return /(Id|^id|^index|^nonce|^number)$/.test(name) ? `{${path} as id}` : `{${path} as count}`;
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
