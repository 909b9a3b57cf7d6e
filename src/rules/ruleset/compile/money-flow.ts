import { readAddress, zeroAddress } from "../../../kernel/address.ts";
import type { CompiledLeg, FlowCondition, FlowSide, Gate, Getter } from "../compiled.ts";
import type { LegEntry, RuleEntry, SideEntry } from "../document/rule-document.ts";
import { compileGate } from "./gate.ts";
import { fixedPaths, type PathType } from "./paths/fixed-paths.ts";
import type { Spot } from "./spot.ts";

const many = Number.MAX_SAFE_INTEGER;
const quantities: Record<string, [number, number]> = {
  nothing: [0, 0],
  one: [1, 1],
  two: [2, 2],
  some: [1, many],
  several: [2, many],
};
/** undefined: any. */
const kinds = new Set([undefined, "fungible", "native", "erc20", "nft"]);

/** `known`: the place is proven, so ether that no call tree shows may stand in for an asset. */
export function compileFlow(spot: Spot, flow: RuleEntry["flow"], known: boolean): FlowCondition | null {
  if (flow === undefined) return null;
  const side = (name: "gives" | "gets"): FlowSide | null => {
    const compiled = compileSide(spot.in(name), flow[name]);
    if (compiled === null) return null;
    const { kind, min } = compiled;
    return { ...compiled, unseen: known && kind !== "nft" && kind !== "erc20" && min > 0 };
  };
  return { gives: side("gives"), gets: side("gets"), open: { gives: flow.gives === "any", gets: flow.gets === "any" } };
}

/**
 * `nothing`, `any`, or `<one|two|some|several> [fungible|native|erc20|nft]`. `one` and `two` exclude other assets on that side. null: any,
 * or a mistake, which is reported.
 */
function compileSide(spot: Spot, entry: SideEntry = "any"): Omit<FlowSide, "unseen"> | null {
  if (entry === "any") return null;
  if (typeof entry !== "string") {
    const { count, min = 1, max = many, kind = "any", others = count === undefined } = entry;
    const token = spot.in("token").getter(entry.token, "address") ?? null;
    return { min: count ?? min, max: count ?? max, kind: kind as FlowSide["kind"], others, token };
  }
  const [word = "", kind, ...rest] = entry.split(" ");
  const quantity = quantities[word];
  if (quantity !== undefined && rest.length === 0 && kinds.has(kind)) {
    const [min, max] = quantity;
    return {
      min,
      max,
      kind: (kind ?? "any") as FlowSide["kind"],
      others: word === "some" || word === "several",
      token: null,
    };
  }
  return spot.report("RL306", (say) => say.noFlow(entry)) ?? null;
}

/** A field with a mistake is reported and left out. */
export function compileLeg(spot: Spot, name: string, leg: LegEntry): CompiledLeg {
  const read = (field: "token" | "amount" | "id", ...types: PathType[]) =>
    spot.in(field).getter(leg[field], ...types) ?? null;
  const token = readAddress(leg.token);
  return {
    name,
    optional: leg.optional ?? false,
    many: leg.many ?? false,
    standards: leg.standards ?? null,
    token: token === undefined ? read("token", "address") : () => token,
    from: party(spot.in("from"), leg.from),
    to: party(spot.in("to"), leg.to),
    amount: read("amount", "uint", "int"),
    id: read("id", "uint"),
  };
}

/** `zero`, a role or member, or a path. null: not given, or a mistake, which is reported. */
function party(spot: Spot, text: string | undefined): Getter | Gate | null {
  if (text === undefined) return null;
  if (text === "zero") return () => zeroAddress;
  const { contracts, members } = spot.file;
  if (contracts.has(text) || members.has(text)) return compileGate(spot, text);
  if (text.includes(".") || Object.hasOwn(fixedPaths, text)) return spot.getter(text, "address") ?? null;
  return spot.unknown("RL303", text, (say) => say.notNamed(), [...contracts.keys(), ...members.keys()]) ?? null;
}
