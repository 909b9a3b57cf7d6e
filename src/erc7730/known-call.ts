import type { Address } from "../kernel/address.ts";
import type { Gate } from "../ruleset/compiled.ts";
import type { Ruleset } from "../ruleset/ruleset.ts";

/** Starts the ids of the files that come from descriptors. */
export const slugStart = "erc7730-";

/**
 * Whether rules tell what a call of that selector at that address tries already, or an unwrapper opens it. Members that a proof admits
 * are not known beforehand; rules that come from descriptors do not count, nor what yields and is about any contract.
 */
export function tellsCall(ruleset: Ruleset, address: Address, selector: string): boolean {
  if (ruleset.unwrappers.get(selector)?.some(({ gate }) => mayAdmit(gate, address))) return true;
  const rules = [...(ruleset.bySelector.get(selector) ?? []), ...(ruleset.byTarget.get(address) ?? [])];
  return rules.some(
    ({ id, anchor, status, yields }) =>
      status === "reverted" &&
      !id.startsWith(slugStart) &&
      anchor.kind === "call" &&
      !(yields && anchor.gate.kind === "any") &&
      mayAdmit(anchor.gate, address),
  );
}

function mayAdmit(gate: Gate, address: Address): boolean {
  if (gate.kind === "either") return gate.gates.some((part) => mayAdmit(part, address));
  return gate.kind === "any" || (gate.kind === "set" && gate.addresses.has(address));
}
