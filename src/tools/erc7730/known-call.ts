import type { Address } from "../../kernel/address.ts";
import type { Gate } from "../../rules/ruleset/compiled.ts";
import type { Ruleset } from "../../rules/ruleset/ruleset.ts";

/** Begins the protocol ids of files from descriptors. */
export const slugStart = "erc7730-";

/**
 * A rule states what this call tries, or an unwrapper opens it. Not counted: gates of proven members (unknown here), rules from
 * descriptors, and yielding rules about any contract.
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
