import { openDeadline, unlessAborted } from "../../kernel/abort.ts";
import type { Logger } from "../../kernel/logger.ts";
import type { PaymentSettings } from "../settings/payment-settings.ts";
import { createBatchMetering } from "./batch/batch-metering.ts";
import type { PaymentRow } from "./ledger/rows.ts";
import { createMetering } from "./metering.ts";
import { AccessError, openParts, type Parts, type PartsOptions } from "./parts.ts";
import { createClaims } from "./payment/claim.ts";
import { createPurchases } from "./payment/purchase.ts";
import { anyone, createSettler, type Reconciled } from "./payment/settler.ts";
import { network } from "./payment/x402-server.ts";
import { priceListOf } from "./price-list.ts";
import { createDayBudget } from "./quota/day-budget.ts";
import { createFreeCalls, type FreeCalls } from "./quota/free-calls.ts";
import { createPasses, type Passes } from "./quota/pass.ts";
import { openVisitors } from "./quota/visitors.ts";
import { createReadiness } from "./readiness.ts";
import { UsageMetrics } from "./usage-metrics.ts";

export type Access = ReturnType<typeof createAccess>;

export interface AccessOptions extends PartsOptions {
  log: Logger;
  /** For the facilitator; default three seconds. */
  facilitatorMs?: number;
}

/** Rejects with AccessError (settings cannot work), or ServiceError `ledger_unavailable`. A failing or slow facilitator is only logged. */
export async function openAccess(options: AccessOptions): Promise<Access> {
  const onDispute = (believed: boolean) =>
    options.log.warn({ event: "disputed", outcome: believed ? "believed" : "pending" });
  const parts = await openParts({ ...options, onDispute });
  const deadline = openDeadline(options.facilitatorMs ?? 3_000);
  const late = () => Promise.reject(deadline.signal.reason);
  try {
    if (!(await unlessAborted(parts.facilitator.supports(network), deadline.signal, late))) {
      await parts.ledger.close();
      throw new AccessError([`X402_FACILITATOR: does not settle the scheme exact on ${network}.`]);
    }
  } catch (error) {
    if (error instanceof AccessError) throw error;
    options.log.warn({ event: "facilitator", outcome: "payments_unavailable" });
  } finally {
    deadline.end();
  }
  return createAccess(options, parts);
}

/** `now`: ms. */
export function createAccess(
  { payments, log }: { payments: PaymentSettings; log: Logger },
  parts: Parts,
  now: () => number = Date.now,
) {
  const { ledger, facilitator, chain, offers, currency, gasWallet, beatMs = 1_000 } = parts;
  const usage = new UsageMetrics();
  const secrets = secretsOf(payments);
  const passes = createPasses({ ledger, secrets, now });
  const settled = (row: PaymentRow) => noteSettled(row, { usage, log });
  const settler = createSettler({ ledger, chain, passes, network, beatMs, now, settled });
  const claims = createClaims({ ledger, chain, secrets, publicUrl: payments.publicUrl, now });
  const shop = { ledger, chain, offers, facilitator, settler, claims, beatMs, now, workMs: payments.deadlineMs };
  const purchases = createPurchases({ ...shop, sender: gasWallet?.address ?? anyone });
  const budget = createDayBudget(payments.freeGatheringsPerDay, now);
  const freeCalls = createFreeCalls({ ledger, perDay: payments.freeCallsPerDay, secrets, now, budget });
  // Every gathering is charged, or counts as a failure.
  const visitors = openVisitors({ ...payments, openCallsPerMinute: 0 }, now);
  const passTerms = JSON.stringify({ seconds: payments.passDays * 86_400, calls: payments.passCalls });
  const shared = { offers, passes, freeCalls, purchases, limits: visitors.limits, usage };
  const metering = createMetering({ ...shared, passTerms });
  const batches = createBatchMetering({ ...shared, ledger, now });
  /** `openFor`: seconds of the chain. */
  const reconcile = (openFor: number) => settler.reconcile(openFor, purchases.isBusy);
  const timers: NodeJS.Timeout[] = [];
  return {
    metering,
    batches,
    visitors,
    usage,
    prices: priceListOf(payments),
    /** For `usage`. */
    decimals: currency.decimals,
    ledger: ledger.database,
    readiness: createReadiness(parts, { canShowPasses: passes.canShow, gasLowWei: payments.gasLowWei, now }),
    reconcile,
    /** In the background; failures are logged. */
    start() {
      // At the start nobody works on the payments that a crash left open.
      let openFor = 0;
      const reconcileNow = async () => {
        const reconciled = await reconcile(openFor);
        openFor = minOpenSeconds;
        usage.open = reconciled.filter(({ outcome }) => stillOpen.has(outcome)).length;
        for (const { payment, outcome } of reconciled)
          log.info({ event: "reconciled", product: payment.product, outcome });
      };
      timers.push(repeat(reconcileMs, reconcileNow, () => log.warn({ event: "reconcile", outcome: "failed" })));
      timers.push(watchCalls(ledger, log));
      void tellLostSecret(passes, log);
      const forget = () => forgetOld(ledger, freeCalls, now);
      timers.push(repeat(forgetMs, forget, () => log.warn({ event: "forget", outcome: "failed" })));
    },
    async close() {
      for (const timer of timers) clearInterval(timer);
      await ledger.close();
    },
  };
}

async function forgetOld(ledger: Parts["ledger"], freeCalls: FreeCalls, now: () => number): Promise<void> {
  await freeCalls.dropOld();
  const time = Math.floor(now() / 1000);
  await ledger.dropAnswers(time - lookBackSeconds, time - answerKeptSeconds);
  await ledger.dropPasted(time - lookBackSeconds, time);
  await ledger.dropUnsent(time - unsentKeptSeconds);
}

function noteSettled({ product, amount }: PaymentRow, { usage, log }: { usage: UsageMetrics; log: Logger }): void {
  usage.counts.settled += amount;
  // The lines of a batch are counted when they are bought.
  if (product !== "batch") usage.add("paid");
  if (product === "pass") usage.add("passes_sold");
  log.info({ event: "settled", product, amount: amount.toString() });
}

/** Sold under another PASS_SECRET. An outage is told by what needs the ledger. */
async function tellLostSecret(passes: Passes, log: Logger): Promise<void> {
  if (!(await passes.canShow().catch(() => true))) log.warn({ event: "pass_secret", outcome: "changed" });
}

/** Calls of dead instances. An outage is told by what needs the ledger. */
function watchCalls(ledger: Parts["ledger"], log: Logger): NodeJS.Timeout {
  const watch = async () => {
    const calls = await ledger.watchCalls();
    if (calls > 0) log.info({ event: "given_back", calls });
  };
  return repeat(watchMs, watch, () => log.debug({ event: "watch", outcome: "failed" }));
}

/** Newest first. */
export function secretsOf({ passSecret, passSecretPrevious }: PaymentSettings): [string, ...string[]] {
  return passSecretPrevious === null ? [passSecret] : [passSecret, passSecretPrevious];
}

/** Now, then regularly; never twice at once. Keeps no process alive. */
function repeat(everyMs: number, work: () => Promise<void>, failed: () => void): NodeJS.Timeout {
  let working = false;
  const guarded = async () => {
    if (working) return;
    working = true;
    await work().catch(failed);
    working = false;
  };
  void guarded();
  return setInterval(() => void guarded(), everyMs).unref();
}

/** The chain may still take them. */
const stillOpen: ReadonlySet<Reconciled["outcome"]> = new Set(["open", "unclear", "unreachable", "undone"]);

const reconcileMs = 30_000;
const watchMs = 1_000;
const forgetMs = 3_600_000;
/** A failed payment keeps its answer so long after its authorization ended, */
const answerKeptSeconds = 86_400;
/** and one that was never sent its row. */
const unsentKeptSeconds = 86_400;
/** Failed ones are never deleted: older ones are not looked at each time. */
const lookBackSeconds = 40 * 86_400;
/** Perhaps still worked on by another process. */
const minOpenSeconds = 30;
