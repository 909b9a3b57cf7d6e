import type { Address } from "../../kernel/address.ts";
import type { Labels } from "../../model/label.ts";
import type { MatchContext } from "../../model/match.ts";
import type { Ruleset } from "../../rules/ruleset/ruleset.ts";
import type { Payout } from "../settle/payouts/act-payouts.ts";
import { principalsOf } from "../settle/principals.ts";
import type { Settled } from "../settle/settle.ts";
import type { Unwrapped } from "../unwrap/unwrap.ts";
import { type Burden, findBurdens } from "./burdens.ts";
import { type ChargedLosses, takeCharges } from "./fees.ts";
import { findKeepers, type Kept } from "./keepers.ts";
import { MoneyLedger } from "./ledger.ts";
import { findSharers } from "./sharers.ts";
import { findSilentCalls, type SilentCall } from "./silent-calls.ts";

/** What the principals gave and got, and who has it. */
export interface Statements {
  /** Made when it is first asked for. */
  ledger(): MoneyLedger;
  principals: readonly Address[];
  /** By act at a stranger's contract: who has its money in the end, where this is somebody else. */
  keepers: ReadonlyMap<MatchContext, readonly Kept[]>;
  /** Who got most of a token out of the same place as the account. */
  sharers: readonly Payout[];
  silent: readonly SilentCall[];
  /** What the principals lost, without what known contracts charged for their services. */
  charged: ChargedLosses;
  /** What was put on accounts that did nothing. */
  burdens: readonly Burden[];
}

/** Makes the ledger of a transaction, and the statements of its principals. */
export function openStatements(
  unwrapped: Unwrapped,
  settled: Settled,
  { labels, ruleset }: { labels: Labels; ruleset: Pick<Ruleset, "actions" | "charges"> },
): Statements {
  const { tx } = unwrapped;
  const principals = principalsOf(unwrapped, settled.actions);
  let made: MoneyLedger | undefined;
  const ledger = () => {
    made ??= new MoneyLedger(tx, new Set(principals));
    return made;
  };
  return {
    ledger,
    principals,
    keepers: findKeepers({ ledger, settled, tx, labels }),
    sharers: findSharers({ ledger, settled, tx, labels }),
    burdens: findBurdens({ unwrapped, settled, principals, labels, actions: ruleset.actions }),
    charged: takeCharges({ ...unwrapped, losses: settled.losses, ledger }, ruleset.charges),
    silent: findSilentCalls(principals, { unwrapped, settled, labels }),
  };
}
