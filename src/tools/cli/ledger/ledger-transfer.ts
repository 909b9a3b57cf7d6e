import { once } from "node:events";
import { createReadStream } from "node:fs";
import { access, stat } from "node:fs/promises";
import { createInterface } from "node:readline";
import { decimalText } from "../../../kernel/amount.ts";
import { openDatabase } from "../../../serve/access/ledger/ledger.ts";
import { exportLedger, importLedger, type TransferSums } from "../../../serve/access/ledger/transfer.ts";
import { readCurrency } from "../../../serve/access/payment/x402-server.ts";
import type { LedgerSettings } from "../../../serve/settings/payment-settings.ts";
import { formatTable } from "../../terminal/table.ts";
import type { Printed } from "../output.ts";

/** `txgloss ledger export`: lines to stdout while they are read, sums for stderr. */
export async function writeExport(place: LedgerSettings): Promise<Printed> {
  const database = await openDatabase(place);
  try {
    const sums = await exportLedger(database, async (line) => {
      if (!process.stdout.write(`${line}\n`)) await once(process.stdout, "drain");
    });
    return { text: "", report: `Exported\n${await formatSums(sums)}`, status: 0 };
  } finally {
    await database.close();
  }
}

/** `txgloss ledger import`: sums of the file. Rejects with TransferError or LedgerVersionError. */
export async function readImport(place: LedgerSettings, path: string): Promise<Printed> {
  await refuseUnreadable(path);
  const database = await openDatabase(place);
  try {
    const { sums, added, known } = await importLedger(database, readLines(path));
    return { text: `Imported: ${added} new rows, ${known} known\n${await formatSums(sums)}`, status: 0 };
  } finally {
    await database.close();
  }
}

/** Opened at the first line: lines before somebody listens would be lost. */
async function* readLines(path: string): AsyncGenerator<string> {
  yield* createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY });
}

/** Refuses a missing file or a folder before a ledger is created. Reads nothing: a pipe gives its bytes only once. */
async function refuseUnreadable(path: string): Promise<void> {
  await access(path);
  if ((await stat(path)).isDirectory()) throw Object.assign(new Error(`${path} is a folder`), { code: "EISDIR", path });
}

async function formatSums({ payments, bought_lines, passes, allowance }: TransferSums): Promise<string> {
  const { decimals } = await readCurrency();
  const usd = (units: number) => `${decimalText(BigInt(units), decimals)} USDC`;
  const rows = [
    ["payments", String(payments.rows), `${usd(payments.amount)}, settled ${usd(payments.settled)}`],
    ["batch lines", String(bought_lines.rows), "bought"],
    ["passes", String(passes.rows), `${passes.used} of ${passes.calls} calls used`],
    ["free calls", String(allowance.rows), `${allowance.used} used`],
  ];
  return `${formatTable(rows).replace(/^/gm, "  ")}\n`;
}
