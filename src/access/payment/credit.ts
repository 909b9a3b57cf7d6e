import type { MaybePromise } from "../../kernel/maybe-promise.ts";
import type { Ledger } from "../ledger/ledger.ts";
import type { PaymentReceipt } from "./payment.ts";

/** A settled payment for a batch: it buys a line for each of those that it pays for, whenever it is shown. */
export interface Credit {
  readonly receipt: PaymentReceipt;
  /** The requests that it has bought when it was read. Their answers are told again for nothing. */
  readonly bought: ReadonlySet<string>;
  /** How many more lines it pays for, as it was read. */
  readonly left: number;
  /** The answer that it bought. */
  recall(request: string): MaybePromise<string | null>;
  /** Buys a line, unless it has bought it already. Gives the answer that the ledger holds; null: no credit is left. */
  buy(request: string, answer: string): MaybePromise<string | null>;
}

export interface CreditOptions {
  ledger: Pick<Ledger, "findPayment" | "listLines" | "findLine" | "buyLine">;
  /** Milliseconds since the epoch. */
  now: () => number;
}

/** Reads what a settled payment still buys. `key`: its name in the ledger. Rejects with ServiceError `ledger_unavailable`. */
export async function readCredit(
  { ledger, now }: CreditOptions,
  key: string,
  receipt: PaymentReceipt,
): Promise<Credit> {
  const row = await ledger.findPayment(key);
  const bought = new Set(await ledger.listLines(key));
  return {
    receipt,
    bought,
    left: Math.max(0, (row?.lines ?? 0) - bought.size),
    recall: (request) => ledger.findLine(key, request),
    buy: (request, answer) => ledger.buyLine(key, { request, answer, now: Math.floor(now() / 1000) }),
  };
}
