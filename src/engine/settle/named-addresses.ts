import { type Address, readAddress } from "../../kernel/address.ts";
import type { MatchContext } from "../../model/match.ts";
import { isSender, partsOf } from "../../rules/ruleset/capture-parts.ts";
import type { CompiledRule } from "../../rules/ruleset/compiled.ts";
import { controlRank } from "../../rules/ruleset/control.ts";
import type { Settled } from "./settle.ts";

/** An act or a message, with the captures that name addresses. */
interface Naming {
  rule: Pick<CompiledRule, "captures">;
  context: MatchContext;
}

/** Addresses that the sentences name: receivers on other chains, beneficiaries of permits, whoever is paid in an account's place. */
export function namedAddresses(told: Partial<Record<"actions" | "twins" | "bookings", readonly Naming[]>>): Address[] {
  const { actions = [], twins = [], bookings = [] } = told;
  return [...actions, ...twins, ...bookings].flatMap((action) => addressesIn(action, "other"));
}

/**
 * Addresses that got power over an account or a contract by a change of control. Without those who lost it, and without EIP-7702 delegates.
 */
export function newControllers({ actions }: Settled): Address[] {
  return actions.flatMap((action) => {
    const { control, controlRank: rank, anchor } = action.rule;
    const gives = control && rank < controlRank("terms") && anchor.kind !== "authorization";
    return gives ? addressesIn(action) : [];
  });
}

/** Addresses in the captures of an act. With `other`, also in captures that a sentence tells only where they are not the account itself. */
function addressesIn({ rule, context }: Naming, further?: "other"): Address[] {
  const found: Address[] = [];
  for (const told of rule.captures.values())
    for (const { capture, context: at } of partsOf(told, context)) {
      const isOne = capture.kind === "address" || capture.kind === further;
      const address = isOne ? readAddress(capture.get(at)) : undefined;
      if (address !== undefined && !isSender(capture, address)) found.push(address);
    }
  return found;
}
