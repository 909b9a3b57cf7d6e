import { compilePath, type PathType } from "../ruleset/path.ts";
import type { FunctionItem } from "../ruleset/signature.ts";
import { own, ownAt } from "./json-tree.ts";

/** A capture of the rule language for one field, and what must hold so that its value can be told. */
export interface FieldCapture {
  capture: Readonly<Record<string, string>>;
  /** Conditions that keep zero amounts and zero addresses out of the sentence. */
  where: readonly unknown[];
}

/** The capture for a field of ERC-7730 ("Field format specification"). Throws an Error with the reason when there is none. */
export function captureField(field: unknown, item: FunctionItem): FieldCapture {
  if (own(field, "value") !== undefined) throw new Error("a constant value instead of a path");
  if (own(field, "encryption") !== undefined) throw new Error("an encrypted field");
  const path = pathOf(own(field, "path"));
  const format = own(field, "format") ?? "raw";
  switch (format) {
    case "tokenAmount":
      return amount(path, tokenOf(own(field, "params")), item);
    case "amount":
      return amount(path, "native", item);
    case "addressName":
      demand(item, path, ["address"]);
      return { capture: { address: path }, where: [notZero(path)] };
    case "date":
      if (ownAt(field, "params", "encoding") === "blockheight") throw new Error("a date by block height");
      demand(item, path, ["uint"]);
      return { capture: { time: path }, where: [above(path)] };
    case "raw":
      demand(item, path, ["uint", "int"]);
      return { capture: { integer: path }, where: [] };
    default:
      throw new Error(
        typeof format === "string" && /^[A-Za-z]{1,32}$/.test(format)
          ? `the format ${format} cannot be expressed`
          : "a format that is none",
      );
  }
}

function amount(path: string, token: string, item: FunctionItem): FieldCapture {
  demand(item, path, ["uint"]);
  if (token !== "native") demand(item, token, ["address"]);
  return { capture: { amount: path, of: token }, where: [above(path)] };
}

function tokenOf(params: unknown): string {
  const path = own(params, "tokenPath");
  if (path !== undefined) return pathOf(path);
  throw new Error(
    own(params, "token") === undefined ? "an amount without the path of its token" : "an amount of a constant token",
  );
}

const container: Readonly<Record<string, string>> = {
  "@.from": "call.from",
  "@.to": "call.to",
  "@.value": "call.value",
};

/** An ERC-7730 path in the rule language: `#.params.path.[-1]` is `args.params.path.-1`. Throws an Error with the reason. */
function pathOf(path: unknown): string {
  if (typeof path !== "string" || path.length > 160) throw new Error("a field without a path");
  const known = Object.hasOwn(container, path) ? container[path] : undefined;
  if (known !== undefined) return known;
  if (/^[@$]/.test(path)) throw new Error("a path that does not lead into the call");
  const parts = path
    .replace(/^#\.?/, "")
    .replace(/(\w)\[/g, "$1.[")
    .split(".");
  return ["args", ...parts.map(partOf)].join(".");
}

function partOf(part: string, position: number): string {
  if (/^[A-Za-z_]\w*$/.test(part)) return part;
  const [, index] = /^\[(0|-1)\]$/.exec(part) ?? [];
  if (index !== undefined && position > 0) return index;
  // Ends of packed bytes, as swap paths hold their tokens.
  if (/^\[0?:20\]$/.test(part)) return "addressAt.0";
  if (/^\[-20:\]$/.test(part)) return "addressAt.-20";
  throw new Error(
    part === "[]" ? "every element of an array" : "a path with a slice or an index that cannot be expressed",
  );
}

function demand(item: FunctionItem, path: string, types: readonly PathType[]): void {
  const scope = { args: item.inputs, input: null, item: null, legs: [], anchor: "call" as const, contracts: new Map() };
  let type: PathType;
  try {
    type = compilePath(path, scope).type;
  } catch {
    throw new Error("a path that the signature does not have");
  }
  if (!types.includes(type)) throw new Error("a value of another type than its format needs");
}

function above(path: string): unknown {
  return { uint_gt: [{ var: path }, "0"] };
}

function notZero(path: string): unknown {
  return { "!": { addr_eq: [{ var: path }, "zero"] } };
}
