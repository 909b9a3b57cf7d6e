import { openDatabase, openLedger } from "../../../../src/serve/access/ledger/ledger.ts";
import { exportLedger, importLedger } from "../../../../src/serve/access/ledger/transfer.ts";
import type { LedgerSettings } from "../../../../src/serve/settings/payment-settings.ts";
import { payment, rich, sellPass } from "./sample-payment.ts";

/** Fills a ledger with more rows than one page, in every state, and with a pass in use and a call that was never finished. */
export async function fill(place: LedgerSettings): Promise<void> {
  const ledger = await openLedger(place);
  for (let row = 0; row < 520; row++)
    await ledger.openPayment(payment(`key-${row}`, { openedAt: row, lines: row === 3 ? 5 : null }), rich);
  await ledger.losePayment("key-1", { reason: "payment_expired", now: 7 });
  await ledger.settlePayment("key-2", { transaction: "0x02", now: 8, pass: null });
  await ledger.settlePayment("key-3", { transaction: "0x03", now: 8, pass: null });
  await ledger.buyLine("key-3", { request: "0x3", answer: "{}", now: 9 });
  await sellPass(ledger, "p1", 3);
  (await ledger.takePassCall("p1", 1_000))?.charge();
  await ledger.takePassCall("p1", 1_000);
  for (const day of [1, 2]) (await ledger.takeFree("client", day, 5))?.charge();
  await ledger.takeFree("client", 2, 5);
  await ledger.close();
}

/** The lines of its export. */
export async function readOut(place: LedgerSettings): Promise<string[]> {
  const database = await openDatabase(place);
  const lines: string[] = [];
  await exportLedger(database, (line) => void lines.push(line));
  await database.close();
  return lines;
}

/** Imports lines. */
export async function readIn(place: LedgerSettings, lines: readonly string[] | AsyncIterable<string>) {
  const database = await openDatabase(place);
  try {
    return await importLedger(database, lines as unknown as AsyncIterable<string>);
  } finally {
    await database.close();
  }
}
