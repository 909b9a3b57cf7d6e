import { type Address, readAddress } from "../../kernel/address.ts";
import type { MatchContext } from "../../model/match.ts";
import { isSender, partsOf } from "../../rules/ruleset/capture-parts.ts";
import type { CompiledRule } from "../../rules/ruleset/compiled.ts";
import { controlRank } from "../../rules/ruleset/control.ts";
import type { Settled } from "./settle.ts";

interface Naming {
  rule: Pick<CompiledRule, "captures">;
  context: MatchContext;
}

/** Receivers on other chains, beneficiaries of permits, payees. */
export function namedAddresses(told: Partial<Record<"actions" | "twins" | "bookings", readonly Naming[]>>): Address[] {
  const { actions = [], twins = [], bookings = [] } = told;
  return [...actions, ...twins, ...bookings].flatMap((action) => addressesIn(action, "other"));
}

/** By a change of control; no former ones, no EIP-7702 delegates. */
export function newControllers({ actions }: Settled): Address[] {
  return actions.flatMap((action) => {
    const { control, controlRank: rank, anchor } = action.rule;
    const gives = control && rank < controlRank("terms") && anchor.kind !== "authorization";
    return gives ? addressesIn(action) : [];
  });
}

/** `other`: also captures that are shown unless they are the account. */
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
