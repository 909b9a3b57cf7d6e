import type { Ledger } from "../ledger/ledger.ts";
import type { PaymentReceipt } from "./payment.ts";

/** Of a settled batch payment, whenever it is shown. */
export type Credit = Awaited<ReturnType<typeof readCredit>>;

export interface CreditOptions {
  ledger: Pick<Ledger, "findPayment" | "listLines" | "findLine" | "buyLine">;
  /** Ms since the epoch. */
  now: () => number;
}

/** `key`: in the ledger. Rejects with ServiceError `ledger_unavailable`. */
export async function readCredit({ ledger, now }: CreditOptions, key: string, receipt: PaymentReceipt) {
  const row = await ledger.findPayment(key);
  /** At reading; sent again for free. */
  const bought: ReadonlySet<string> = new Set(await ledger.listLines(key));
  return {
    receipt,
    bought,
    /** Lines left at the time of reading. */
    left: Math.max(0, (row?.lines ?? 0) - bought.size),
    recall: (request: string) => ledger.findLine(key, request),
    /** Once. The ledger's answer; null: no credit. */
    buy: (request: string, answer: string) => ledger.buyLine(key, { request, answer, now: Math.floor(now() / 1000) }),
  };
}
