import { existsSync } from "node:fs";
import { join } from "node:path";
import { openNetwork } from "../../../gather/network/network.ts";
import { decimalText } from "../../../kernel/amount.ts";
import { canonicalJson } from "../../../kernel/canonical.ts";
import { chain as base } from "../../../kernel/chain-profile.ts";
import { documentCache } from "../../../rules/documents/kept-file.ts";
import { loadLabels } from "../../../rules/labels/load.ts";
import { LedgerVersionError, NoSqliteError } from "../../../serve/access/ledger/database.ts";
import type { Ledger } from "../../../serve/access/ledger/ledger.ts";
import { type PassRow, type PaymentRow, stateOf } from "../../../serve/access/ledger/rows.ts";
import { TransferError } from "../../../serve/access/ledger/transfer.ts";
import { secretsOf } from "../../../serve/access/open.ts";
import { openLedgerAndChain } from "../../../serve/access/parts.ts";
import { createSettler, type Reconciled, type SettlerOptions } from "../../../serve/access/payment/settler.ts";
import { network } from "../../../serve/access/payment/x402-server.ts";
import { createPasses } from "../../../serve/access/quota/pass.ts";
import { type Config, ConfigError } from "../../../serve/settings/config.ts";
import { blockTimesOf } from "../../../serve/start/block-times.ts";
import { UsageError } from "../../terminal/command-table.ts";
import { formatTable } from "../../terminal/table.ts";
import type { CommandOf } from "../command-line.ts";
import type { Printed } from "../output.ts";
import { readImport, writeExport } from "./ledger-transfer.ts";

/**
 * `txgloss ledger`. Status 1 when a settlement stays open after reconciling. Rejects with ConfigError, UsageError for a file that is no
 * complete export, or ServiceError `ledger_unavailable`.
 */
export async function runLedger(command: CommandOf<"ledger">, config: Config): Promise<Printed> {
  const { ledger: place } = config;
  if (command.task !== "import" && "dataDir" in place && !existsSync(join(place.dataDir, "ledger.sqlite"))) {
    throw new ConfigError([`DATA_DIR: there is no ledger in ${place.dataDir}.`]);
  }
  try {
    if (command.task === "export") return await writeExport(place);
    if (command.path !== null) return await readImport(place, command.path);
    return await showLedger(command, config);
  } catch (error) {
    if (error instanceof TransferError) throw new UsageError(`${command.path}: ${error.message}`);
    const isSetting = error instanceof LedgerVersionError || error instanceof NoSqliteError;
    throw isSetting ? new ConfigError([error.message]) : error;
  }
}

async function showLedger(command: CommandOf<"ledger">, config: Config): Promise<Printed> {
  const { ledger: place, rpcUrls, rpcTimeoutMs: callTimeoutMs, labelsDir } = config;
  const calendar = blockTimesOf(loadLabels(labelsDir, [], documentCache).labels);
  const { transport, witnesses } = openNetwork({ chainId: base.id, rpcUrls, callTimeoutMs, blockscoutUrl: null });
  const { ledger, chain, currency } = await openLedgerAndChain({
    ledger: place,
    transport,
    witnesses,
    calendar,
  });
  try {
    const reconciled = command.task === "reconcile" ? await reconcile(config, { ledger, chain, network }) : [];
    const report = await readReport(ledger, reconciled);
    const text = command.json ? `${canonicalJson(report)}\n` : formatReport(report, currency.decimals);
    return { text, status: command.task === "reconcile" && report.open.length > 0 ? 1 : 0 };
  } finally {
    await ledger.close();
  }
}

async function reconcile({ payments }: Config, parts: Pick<SettlerOptions, "ledger" | "chain" | "network">) {
  if (payments === null) throw new ConfigError(["X402_PAY_TO: set the settings of charging as the server has them."]);
  const now = Date.now;
  const passes = createPasses({ ledger: parts.ledger, secrets: secretsOf(payments), now });
  const settler = createSettler({ ...parts, passes, now, beatMs: 1_000, settled() {} });
  return settler.reconcile(0, () => false);
}

async function readReport(ledger: Ledger, reconciled: readonly Reconciled[]) {
  return {
    totals: await ledger.countPayments(),
    open: await ledger.listOpenPayments(Number.MAX_SAFE_INTEGER),
    payments: await ledger.listPayments(rowsMax),
    passes: await ledger.listPasses(rowsMax),
    reconciled,
  };
}

type Report = Awaited<ReturnType<typeof readReport>>;

const rowsMax = 50;

function formatReport({ totals, open, payments, passes, reconciled }: Report, decimals: number): string {
  const usd = (units: bigint) => `${decimalText(units, decimals)} USDC`;
  const sums = totals.map((sum) => [sum.product, sum.state, String(sum.payments), usd(sum.amount)]);
  const paymentRow = (row: PaymentRow) => {
    const { openedAt, product, amount, payer, transaction, reason } = row;
    return [time(openedAt), product, stateOf(row), usd(amount), payer, transaction ?? reason ?? ""];
  };
  const passRow = ({ id, createdAt, expiresAt, used, callCap }: PassRow) => {
    return [id, `bought ${time(createdAt)}`, `until ${time(expiresAt)}`, `${used} of ${callCap} used`];
  };
  const closed = reconciled.map(({ payment, outcome }) => {
    return [time(payment.openedAt), payment.product, outcome, payment.key];
  });
  return [
    ...(closed.length === 0 ? [] : [section("Reconciled", closed)]),
    section("Sold", sums, "nothing"),
    section("Open settlements", open.map(paymentRow)),
    section(`Passes (the last ${rowsMax})`, passes.map(passRow)),
    section(`Payments (the last ${rowsMax})`, payments.map(paymentRow)),
  ].join("\n");
}

/** `empty`: instead of rows. */
function section(heading: string, rows: readonly (readonly string[])[], empty = "none"): string {
  return `${heading}\n${(rows.length === 0 ? empty : formatTable(rows)).replace(/^/gm, "  ")}\n`;
}

/** `2026-01-31 12:59Z`, UTC. `seconds`: Unix time. */
function time(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(0, 16).replace("T", " ")}Z`;
}
