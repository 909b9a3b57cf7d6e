import type { Address } from "../kernel/address.ts";
import { withPermitOwners } from "./assess/principals.ts";
import type { SubjectAct } from "./assess/subject-act.ts";
import type { Candidate } from "./match/candidate.ts";
import { namedAddresses, newControllers } from "./settle/named-addresses.ts";
import { principalsOf } from "./settle/principals.ts";
import type { Settled } from "./settle/settle.ts";
import { precompilesIn } from "./unwrap/gates.ts";
import type { Unwrapped } from "./unwrap/unwrap.ts";

/** What the stages from `normalize` to `settle` found out. */
export interface Decoded {
  unwrapped: Unwrapped;
  settled: Settled;
  /** The account whose act is told: the subject of the headline. */
  subject: Address;
  act: SubjectAct;
  /** What `match` left out because of a limit. */
  truncated: readonly string[];
}

/** What the stages before `assess` found out. */
interface Found extends Pick<SubjectAct, "file" | "subject" | "ruleset" | "labels"> {
  unwrapped: Unwrapped;
  settled: Settled;
}

/** Gathers what `assess` makes flags and checks from. */
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

/** Whether a contract belongs to the protocol of the act's rule: it is listed in the rule's file, or a proven member. */
function isAboutMember({ rule, context }: Candidate, address: Address): boolean {
  return rule.anchor.kind !== "none" && rule.home.kind !== "any" && context.admits(rule.home, address);
}
