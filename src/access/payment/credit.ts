import type { Ledger } from "../ledger/ledger.ts";
import type { PaymentReceipt } from "./payment.ts";

/** A settled payment for a batch: it buys a line for each of those that it pays for, whenever it is shown. */
export type Credit = Awaited<ReturnType<typeof readCredit>>;

export interface CreditOptions {
  ledger: Pick<Ledger, "findPayment" | "listLines" | "findLine" | "buyLine">;
  /** Milliseconds since the epoch. */
  now: () => number;
}

/** Reads what a settled payment still buys. `key`: its name in the ledger. Rejects with ServiceError `ledger_unavailable`. */
export async function readCredit({ ledger, now }: CreditOptions, key: string, receipt: PaymentReceipt) {
  const row = await ledger.findPayment(key);
  /** The requests that it has bought when it was read. Their answers are told again for nothing. */
  const bought: ReadonlySet<string> = new Set(await ledger.listLines(key));
  return {
    receipt,
    bought,
    /** How many more lines it pays for, as it was read. */
    left: Math.max(0, (row?.lines ?? 0) - bought.size),
    recall: (request: string) => ledger.findLine(key, request),
    /** Buys a line, unless it has bought it already. Gives the answer that the ledger holds; null: no credit is left. */
    buy: (request: string, answer: string) => ledger.buyLine(key, { request, answer, now: Math.floor(now() / 1000) }),
  };
}
