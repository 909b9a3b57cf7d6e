import type { RiskFlag } from "../model/explanation.ts";
import type { Transaction } from "../model/transaction.ts";

/** Flags that the case file proves. */
export function raiseFlags(tx: Transaction): RiskFlag[] {
  if (tx.status !== "reverted") return [];
  return [{ flag: "transaction_reverted", detail: "The transaction reverted: nothing moved except the fee." }];
}
