import type { Ledger } from "../ledger/ledger.ts";
import type { PaymentRow } from "../ledger/rows.ts";
import type { Settler } from "./settler.ts";
import type { AuthorizationState } from "./token-chain.ts";

/** One open payment and what the chain says about it. `unreachable`: the chain did not answer. */
export interface Reconciled {
  payment: PaymentRow;
  outcome: AuthorizationState["state"] | "unreachable";
}

export interface ReconcileOptions {
  ledger: Ledger;
  settler: Pick<Settler, "reconcile">;
  /** Payments that this process works on are left alone. */
  isBusy: (key: string) => boolean;
  /** Unix seconds. */
  now: number;
  /** Only payments that have been open for at least this long, in seconds. */
  openFor: number;
}

/** Asks the chain about every open payment, the oldest first, and closes it if possible. */
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
