import type { Ledger } from "../ledger/ledger.ts";
import type { PaymentReceipt } from "./payment.ts";

/** The credit of a settled payment for a batch: it buys as many lines as were paid for, whenever the payment is shown. */
export type Credit = Awaited<ReturnType<typeof readCredit>>;

export interface CreditOptions {
  ledger: Pick<Ledger, "findPayment" | "listLines" | "findLine" | "buyLine">;
  /** Milliseconds since the epoch. */
  now: () => number;
}

/** Reads the credit that a settled payment has left. `key`: its name in the ledger. Rejects with ServiceError `ledger_unavailable`. */
export async function readCredit({ ledger, now }: CreditOptions, key: string, receipt: PaymentReceipt) {
  const row = await ledger.findPayment(key);
  /** The requests that were bought when the credit was read. Their answers are sent again for free. */
  const bought: ReadonlySet<string> = new Set(await ledger.listLines(key));
  return {
    receipt,
    bought,
    /** How many more lines it pays for, at the time of reading. */
    left: Math.max(0, (row?.lines ?? 0) - bought.size),
    recall: (request: string) => ledger.findLine(key, request),
    /** Buys a line, unless it is bought already. Gives the answer in the ledger; null: no credit is left. */
    buy: (request: string, answer: string) => ledger.buyLine(key, { request, answer, now: Math.floor(now() / 1000) }),
  };
}
