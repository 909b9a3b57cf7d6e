import type { Ledger } from "./ledger/ledger.ts";
import type { PaymentRow } from "./ledger/rows.ts";
import type { Settler } from "./settle.ts";
import type { Trace } from "./token-chain.ts";

/** What became of one payment that was open. `unreachable`: the chain could not be asked. */
export interface Reconciled {
  payment: PaymentRow;
  outcome: Trace["state"] | "unreachable";
}

export interface ReconcileOptions {
  ledger: Ledger;
  settler: Pick<Settler, "reconcile">;
  /** Payments that this process is working on settle themselves. */
  isBusy: (key: string) => boolean;
  /** Unix seconds. */
  now: number;
  /** Only payments that have been open for at least this long, in seconds. */
  openFor: number;
}

/** Asks the chain about every open payment and closes those that can be closed, the oldest first. */
export async function reconcileAll(options: ReconcileOptions): Promise<Reconciled[]> {
  const { ledger, settler, isBusy, now, openFor } = options;
  const reconciled: Reconciled[] = [];
  for (const payment of await ledger.listOpenPayments({ openedBefore: now - openFor, now })) {
    if (isBusy(payment.key)) continue;
    const outcome = await settler.reconcile(payment).catch(() => "unreachable" as const);
    reconciled.push({ payment, outcome });
  }
  return reconciled;
}
