import type { AbiType } from "../../rules/abi/abi-type.ts";
import { listOf } from "../../rules/ruleset/compile/scope.ts";
import type { FileScope } from "../../rules/ruleset/compile/spot.ts";
import { attemptsOf } from "../../rules/ruleset/document/attempt-entry.ts";
import type { PlacedEntry } from "./rule-view.ts";

/** The type at a path such as `args.order.kind`; undefined where not certain. */
export type TypeOf = (path: string) => AbiType | undefined;

export function actTypes({ event, call, sign }: PlacedEntry["entry"] & { sign?: string }, scope: FileScope): TypeOf {
  return typesOf(scope, listOf<string>(event ?? call ?? sign));
}

/** `index`: among the rule's attempts. */
export function attemptTypes(entry: PlacedEntry["entry"], index: number, scope: FileScope): TypeOf {
  return typesOf(scope, listOf(attemptsOf(entry)[index]?.attempt.call));
}

function typesOf({ abi, messages }: FileScope, names: readonly string[]): TypeOf {
  const layouts = names.map((name) => (abi.get(name) ?? messages.get(name))?.inputs);
  return (path) => {
    const [root, ...steps] = path.split(".");
    if (root !== "args") return undefined;
    const types = layouts.map((layout) => memberOf(layout, steps));
    const [first] = types;
    return types.every((type) => JSON.stringify(type) === JSON.stringify(first)) ? first : undefined;
  };
}

function memberOf(layout: AbiType | undefined, [step, ...rest]: readonly string[]): AbiType | undefined {
  if (step === undefined) return layout;
  return layout?.kind === "tuple" ? memberOf(layout.items[layout.names.indexOf(step)], rest) : undefined;
}

/** Smallest and largest; undefined for other types. */
export function rangeOf(type: AbiType | undefined): [bigint, bigint] | undefined {
  if (type?.kind === "uint") return [0n, (1n << BigInt(type.bits)) - 1n];
  return type?.kind === "int" ? [-(1n << BigInt(type.bits - 1)), (1n << BigInt(type.bits - 1)) - 1n] : undefined;
}
