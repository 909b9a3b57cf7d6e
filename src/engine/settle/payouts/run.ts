import type { Address } from "../../../kernel/address.ts";
import { type Members, membersOf } from "../../../kernel/lists.ts";
import type { ActorCall, AssetChange } from "../../../model/match.ts";
import type { Movement, Transaction } from "../../../model/transaction.ts";
import { downstreamOf } from "../../money/payees.ts";
import type { KnownFacts } from "../reached-money.ts";

export interface KnownRun {
  tx: Transaction;
  labels: KnownFacts["labels"];
  /** Innermost, of the subject. */
  leaves: readonly ActorCall[];
}

/** In the whole transaction or a part. */
export interface Run extends KnownRun {
  /** `tx` may be a part of it. */
  whole: Transaction;
  /** What came to them belongs to their actions. */
  tellers: readonly Address[];
  /** Movements that actions claim. */
  claimed: Members<number>;
  /** Received outside of the searched part. */
  beside: readonly AssetChange[];
  /** Of `downstreamIn`, by starting accounts. */
  downstream: Map<string, ReadonlySet<Address>> | undefined;
}

export function runOf(known: KnownRun, { tellers, claimed }: Pick<Run, "tellers" | "claimed"> = noActions): Run {
  return { ...known, whole: known.tx, tellers, claimed, beside: [], downstream: undefined };
}

const noActions: Pick<Run, "tellers" | "claimed"> = { tellers: [], claimed: membersOf([]) };

export function partOf(run: Run, movements: Movement[], part: Pick<Run, "leaves" | "beside">): Run {
  return { ...run, ...part, tx: { ...run.whole, movements }, downstream: undefined };
}

/** Remembered: many acts ask. */
export function downstreamIn(accounts: readonly Address[], run: Run): ReadonlySet<Address> {
  const key = accounts.join("");
  run.downstream ??= new Map();
  const reached = run.downstream.get(key) ?? downstreamOf(run.tx, accounts);
  run.downstream.set(key, reached);
  return reached;
}
