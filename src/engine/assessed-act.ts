import type { Address } from "../kernel/address.ts";
import { withPermitOwners } from "./assess/principals.ts";
import type { SubjectAct } from "./assess/subject-act.ts";
import type { Candidate } from "./match/candidate.ts";
import { namedAddresses, newControllers } from "./settle/named-addresses.ts";
import { principalsOf } from "./settle/principals.ts";
import type { Settled } from "./settle/settle.ts";
import { precompilesIn } from "./unwrap/gates.ts";
import type { Unwrapped } from "./unwrap/unwrap.ts";

/** Of the stages from `normalize` to `settle`. */
export interface Decoded {
  unwrapped: Unwrapped;
  settled: Settled;
  /** Subject of the headline. */
  subject: Address;
  act: SubjectAct;
  /** Left out by limits of `match`. */
  truncated: readonly string[];
}

interface Found extends Pick<SubjectAct, "file" | "subject" | "ruleset" | "labels"> {
  unwrapped: Unwrapped;
  settled: Settled;
}

export function assessedAct({ file, unwrapped, settled, subject, ruleset, labels }: Found): SubjectAct {
  const { tx, calls, actors } = unwrapped;
  const known = [subject, ...principalsOf(unwrapped, settled.actions)];
  return {
    ...{ file, tx, subject, calls, labels, ruleset },
    principals: withPermitOwners(known, { file, tx, calls, actors, labels, ruleset }),
    named: namedAddresses(settled),
    controllers: newControllers(settled),
    payees: settled.payouts,
    signed: null,
    trail: settled.money.trail,
    markets: settled.money.markets,
    isProven: (address) => settled.actions.some((action) => isAboutMember(action, address)),
    isPrecompile: precompilesIn(file, ruleset)(tx.logs),
  };
}

/** Listed in the rule's file, or a proven member. */
function isAboutMember({ rule, context }: Candidate, address: Address): boolean {
  return rule.anchor.kind !== "none" && rule.home.kind !== "any" && context.admits(rule.home, address);
}
