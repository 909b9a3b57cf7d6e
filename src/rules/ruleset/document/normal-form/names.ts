import type { TupleType } from "../../../abi/abi-type.ts";
import type { AbiItem } from "../../../abi/signature.ts";
import { suggest } from "../../../documents/suggest.ts";
import { compilePath, type PathScope } from "../../compile/paths/path.ts";
import { isEntry, mapEntry, type SaidEntry } from "./entry.ts";
import { NameMistake } from "./name-mistake.ts";

/** What names mean at one place of a file. */
export interface Names {
  /** Of the anchor. */
  args: TupleType | null;
  /** Of the one call beside an event. */
  input: TupleType | null;
  legs: Readonly<SaidEntry>;
  anchor: PathScope["anchor"];
  /** Of `abi`. */
  items: ReadonlyMap<string, AbiItem>;
  roles: ReadonlySet<string>;
  /** `values` of the file. */
  shared: Readonly<SaidEntry>;
}

/** First words of paths that the engine gives. An argument or leg of the same name needs `args.` or `legs.`. */
export const engineWords: ReadonlySet<string> = new Set([
  ...["args", "input", "legs", "emitter", "call", "tx", "flow", "target", "target_flow", "contracts", "count", "move"],
  ...["item", "authority", "delegate", "subject", "native", "domain", "before", "after"],
]);

export function isArgument(word: string, { args }: Names): boolean {
  return args?.names.includes(word) === true;
}

/**
 * The path in full: `amount` is `args.amount`, `paid.token` is `legs.paid.token`. Of alternatives (`reserve/asset`) the first that there is.
 * Undefined: nothing here has that name. Throws {@link NameMistake} where it has two meanings.
 */
export function findPath(path: string, names: Names): string | undefined {
  for (const one of path.split("/")) {
    const found = findOne(one, names);
    if (found !== undefined) return found;
  }
  return undefined;
}

function findOne(path: string, names: Names): string | undefined {
  const whole = path.replace(/\(([^)]*)\)/g, (_, index: string) => `(${findOne(index, names) ?? index})`);
  const [first = "", second = ""] = whole.split(".");
  const isEngine = engineWords.has(first);
  const isArg = first !== "args" && isArgument(first, names);
  const isLeg = Object.hasOwn(names.legs, first);
  if ([isEngine, isArg, isLeg].filter(Boolean).length > 1) throw new NameMistake(twoMeanings(path, isArg, isLeg));
  if (isArg) return `args.${whole}`;
  if (isLeg) return `legs.${whole}`;
  if (!isEngine) return undefined;
  if (first === "emitter" && names.anchor !== "event") return undefined;
  return first !== "args" || isArgument(second, names) ? whole : undefined;
}

function twoMeanings(path: string, isArg: boolean, isLeg: boolean): string {
  const long = [...(isArg ? [`\`args.${path}\``] : []), ...(isLeg ? [`\`legs.${path}\``] : [])].join(" or ");
  return `\`${path}\` means two things here; ${long} was expected`;
}

/** {@link findPath}; throws {@link NameMistake} where nothing has the name, and where an alternative is never found. */
export function fullPath(path: string, names: Names, others: Iterable<string> = []): string {
  const found = findPath(path, names);
  if (found !== undefined) return found;
  const known = [...(names.args?.names ?? []), ...Object.keys(names.legs), ...engineWords, ...others];
  const [first = "", ...rest] = path.split(".");
  const meant = suggest(first, known);
  throw new NameMistake(`\`${path}\` names nothing here`, meant && [meant, ...rest].join("."));
}

/** A path, an address as it stands, or a row of a table (`{ table, by }`). */
export function valuePath(value: unknown, names: Names): unknown {
  if (isEntry(value)) return mapEntry(value, (one, key) => (key === "table" ? one : valuePath(one, names)));
  if (typeof value !== "string" || /^0x[0-9a-fA-F]{40}$/.test(value)) return value;
  return fullPath(value, names);
}

/** A path, or a list of them. */
export function eachPath(value: unknown, names: Names): unknown {
  return Array.isArray(value) ? value.map((one) => valuePath(one, names)) : valuePath(value, names);
}

/** A party of a movement: `zero`, a role, a member, or a path. `contracts.pool` is the role where an argument has its name. */
export function partyOf(value: unknown, names: Names): unknown {
  if (typeof value !== "string" || value === "zero") return value;
  const role = /^contracts\.(.+)$/.exec(value)?.[1];
  if (role !== undefined && names.roles.has(role)) return role;
  if (!names.roles.has(value)) return fullPath(value, names, [...names.roles, "zero"]);
  if (isArgument(value, names))
    throw new NameMistake(
      `\`${value}\` is a role and an argument; \`contracts.${value}\` or \`args.${value}\` was expected`,
    );
  return value;
}

/** The type of a full path; undefined where it cannot be read. */
export function typeOf(path: string, names: Names): string | undefined {
  try {
    const { type, layout } = compilePath(path, {
      ...{ args: names.args, input: names.input, item: null, legs: Object.keys(names.legs), anchor: names.anchor },
      many: Object.keys(names.legs).filter((leg) => (names.legs[leg] as SaidEntry).many === true),
      contracts: new Map([...names.roles].map((role) => [role, []])),
      abi: names.items,
      count: { kind: "any" },
    });
    return layout?.kind === "bytes" || layout?.kind === "fixed" ? "bytes" : type;
  } catch {
    return undefined;
  }
}
