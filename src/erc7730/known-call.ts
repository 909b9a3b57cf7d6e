import type { Address } from "../kernel/address.ts";
import type { Gate } from "../ruleset/compiled.ts";
import type { Ruleset } from "../ruleset/ruleset.ts";

/** Starts the ids of the files that come from descriptors. */
export const slugStart = "erc7730-";

/**
 * Whether rules tell a call of that selector at that address already, or an unwrapper opens it. Members that a proof admits are not
 * known beforehand; rules that come from descriptors do not count.
 */
export function tellsCall(ruleset: Ruleset, address: Address, selector: string): boolean {
  if (ruleset.unwrappers.has(selector)) return true;
  const rules = [...(ruleset.bySelector.get(selector) ?? []), ...(ruleset.byTarget.get(address) ?? [])];
  return rules.some(
    ({ id, anchor }) => !id.startsWith(slugStart) && anchor.kind === "call" && mayAdmit(anchor.gate, address),
  );
}

function mayAdmit(gate: Gate, address: Address): boolean {
  if (gate.kind === "either") return gate.gates.some((part) => mayAdmit(part, address));
  return gate.kind === "any" || (gate.kind === "set" && gate.addresses.has(address));
}
