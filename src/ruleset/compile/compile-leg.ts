import { readAddress, zeroAddress } from "../../kernel/address.ts";
import type { CompiledLeg, Gate, Getter } from "../compiled.ts";
import type { LegEntry } from "../document/rule-document.ts";
import { getter } from "./capture.ts";
import { compileGate } from "./gate.ts";
import type { PathScope } from "./path.ts";
import type { FileScope } from "./scope.ts";

/** Compiles one entry of `legs:`. */
export function compileLeg(
  file: FileScope,
  scope: PathScope,
  name: string,
  leg: LegEntry,
  at: (string | number)[],
): CompiledLeg {
  const read = (field: "token" | "amount" | "id", types: ("address" | "uint" | "int")[]) =>
    leg[field] === undefined ? null : (getter(file, scope, leg[field], types, [...at, field]) ?? null);
  return {
    name,
    optional: leg.optional ?? false,
    many: leg.many ?? false,
    standards: leg.standards ?? null,
    token:
      leg.token !== undefined && readAddress(leg.token) !== undefined
        ? constant(readAddress(leg.token) as string)
        : read("token", ["address"]),
    from: party(file, scope, leg.from, [...at, "from"]),
    to: party(file, scope, leg.to, [...at, "to"]),
    amount: read("amount", ["uint", "int"]),
    id: read("id", ["uint"]),
  };
}

/** A side of a leg: `zero`, a contract role or member, or a path. */
function party(
  file: FileScope,
  scope: PathScope,
  text: string | undefined,
  at: (string | number)[],
): Getter | Gate | null {
  if (text === undefined) return null;
  if (text === "zero") return constant(zeroAddress);
  if (file.contracts.has(text) || file.members.has(text)) return compileGate(file, text, at);
  return getter(file, scope, text, ["address"], at) ?? null;
}

function constant(value: string): Getter {
  return () => value;
}
