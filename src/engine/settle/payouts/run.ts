import type { Address } from "../../../kernel/address.ts";
import { type Members, membersOf } from "../../../kernel/lists.ts";
import type { ActorCall, AssetChange } from "../../../model/match.ts";
import type { Movement, Transaction } from "../../../model/transaction.ts";
import { downstreamOf } from "../../money/payees.ts";
import type { KnownFacts } from "../reached-money.ts";

/** The facts that a search for payouts needs beside the actions. */
export interface KnownRun {
  tx: Transaction;
  labels: KnownFacts["labels"];
  /** Innermost calls of the account that the transaction ran for. */
  leaves: readonly ActorCall[];
}

/** One search for payouts, in a whole transaction or in a part of it. */
export interface Run extends KnownRun {
  /** The transaction of which `tx` is a part, or `tx` itself. */
  whole: Transaction;
  /** Known contracts whose events tell actions. What came to them belongs to these actions. */
  tellers: readonly Address[];
  /** Movements that actions claim. */
  claimed: Members<number>;
  /** What the account got itself outside of the part that is searched. */
  beside: readonly AssetChange[];
  /** Memory of `downstreamIn`, by the accounts where the money started. */
  downstream: Map<string, ReadonlySet<Address>> | undefined;
}

/** A search in the whole transaction. */
export function runOf(known: KnownRun, { tellers, claimed }: Pick<Run, "tellers" | "claimed"> = noActions): Run {
  return { ...known, whole: known.tx, tellers, claimed, beside: [], downstream: undefined };
}

const noActions: Pick<Run, "tellers" | "claimed"> = { tellers: [], claimed: membersOf([]) };

/** The same search among some of the movements alone. */
export function partOf(run: Run, movements: Movement[], part: Pick<Run, "leaves" | "beside">): Run {
  return { ...run, ...part, tx: { ...run.whole, movements }, downstream: undefined };
}

/** Everybody whom money of these accounts reached. Remembered, since many acts ask about the same accounts. */
export function downstreamIn(accounts: readonly Address[], run: Run): ReadonlySet<Address> {
  const key = accounts.join("");
  run.downstream ??= new Map();
  const reached = run.downstream.get(key) ?? downstreamOf(run.tx, accounts);
  run.downstream.set(key, reached);
  return reached;
}
