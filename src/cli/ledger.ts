import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Ledger, PassRow, PaymentRow, PaymentTotal } from "../access/ledger/ledger.ts";
import type { Reconciled, SettlerOptions } from "../access/payment/settler.ts";
import { decimalText } from "../kernel/amount.ts";
import { canonicalJson } from "../kernel/canonical.ts";
import { chain as base } from "../kernel/chain-profile.ts";
import { openNetwork } from "../network/network.ts";
import { type Config, ConfigError } from "../settings/config.ts";
import { formatTable } from "./table.ts";

export interface LedgerCommand {
  /** Ask the chain about open settlements first, and close them. */
  reconcile: boolean;
  /** One JSON document instead of a text. */
  json: boolean;
}

/** What the operator is shown. */
interface Report {
  totals: PaymentTotal[];
  open: PaymentRow[];
  payments: PaymentRow[];
  passes: PassRow[];
  reconciled: Reconciled[];
}

/**
 * `txgloss ledger [reconcile]`: passes, payments and open settlements, for the operator. Gives the text for stdout and the exit
 * status: 1 when a settlement stays open after reconciling. Rejects with ConfigError, or ServiceError `ledger_unavailable`.
 */
export async function runLedger(command: LedgerCommand, config: Config): Promise<{ text: string; status: number }> {
  const place = config.ledger;
  if ("dataDir" in place && !existsSync(join(place.dataDir, "ledger.sqlite"))) {
    throw new ConfigError([`DATA_DIR: there is no ledger in ${place.dataDir}.`]);
  }
  const [{ openLedgerAndChain }, { network }] = await Promise.all([
    import("../access/parts.ts"),
    import("../access/payment/x402-server.ts"),
  ]);
  const { rpcUrls, rpcTimeoutMs: callTimeoutMs } = config;
  const { transport } = openNetwork({ chainId: base.id, rpcUrls, callTimeoutMs, blockscoutUrl: null });
  const { ledger, chain, currency } = await openLedgerAndChain({ ledger: place, transport });
  try {
    const reconciled = command.reconcile ? await reconcile(config, { ledger, chain, network }) : [];
    const report = { ...(await read(ledger)), reconciled };
    const text = command.json ? `${canonicalJson(report)}\n` : formatReport(report, currency.decimals);
    return { text, status: command.reconcile && report.open.length > 0 ? 1 : 0 };
  } finally {
    await ledger.close();
  }
}

async function reconcile(
  { payments }: Config,
  parts: Pick<SettlerOptions, "ledger" | "chain" | "network">,
): Promise<Reconciled[]> {
  if (payments === null) throw new ConfigError(["X402_PAY_TO: set the settings of charging as the server has them."]);
  const [{ createPasses }, { createSettler }] = await Promise.all([
    import("../access/quota/pass.ts"),
    import("../access/payment/settler.ts"),
  ]);
  const now = Date.now;
  const passes = createPasses({ ledger: parts.ledger, secret: payments.passSecret, now });
  const settler = createSettler({ ...parts, passes, now, settled() {} });
  return settler.reconcile(0, () => false);
}

async function read(ledger: Ledger): Promise<Omit<Report, "reconciled">> {
  const now = Math.floor(Date.now() / 1000);
  const listed = await ledger.listOpenPayments({ openedBefore: now, now });
  return {
    totals: await ledger.countPayments(),
    open: listed.filter(({ state }) => state === "settling"),
    payments: await ledger.listPayments(rowsMax),
    passes: await ledger.listPasses(rowsMax),
  };
}

const rowsMax = 50;

function formatReport({ totals, open, payments, passes, reconciled }: Report, decimals: number): string {
  const usd = (units: bigint) => `${decimalText(units, decimals)} USDC`;
  const row = ({ openedAt, product, state, amount, payer, transaction, reason }: PaymentRow) => [
    time(openedAt),
    product,
    state,
    usd(amount),
    payer,
    transaction ?? reason ?? "",
  ];
  return [
    section(
      "Reconciled",
      reconciled.map(({ payment, outcome }) => [...row(payment).slice(0, 2), outcome, payment.key]),
    ),
    section(
      "Sold",
      totals.map(({ product, state, payments, amount }) => [product, state, String(payments), usd(amount)]),
      "nothing",
    ),
    section("Open settlements", open.map(row), "none"),
    section(`Passes (the last ${rowsMax})`, passes.map(passRow), "none"),
    section(`Payments (the last ${rowsMax})`, payments.map(row), "none"),
  ]
    .filter((text) => text !== "")
    .join("\n");
}

function passRow({ id, createdAt, expiresAt, used, callCap }: PassRow): string[] {
  return [id, `bought ${time(createdAt)}`, `until ${time(expiresAt)}`, `${used} of ${callCap} used`];
}

/** A heading with indented rows. Without rows it says `empty`; without that, nothing. */
function section(heading: string, rows: readonly (readonly string[])[], empty?: string): string {
  if (rows.length === 0 && empty === undefined) return "";
  const text = rows.length === 0 ? (empty as string) : formatTable(rows);
  return `${heading}\n${text.replace(/^/gm, "  ")}\n`;
}

function time(seconds: number): string {
  return new Date(seconds * 1000)
    .toISOString()
    .replace(/:\d\d\.000Z$/, "Z")
    .replace("T", " ");
}
