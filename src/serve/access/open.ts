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

/** Everything that the service needs to charge for calls. */
export type Access = ReturnType<typeof createAccess>;

export interface AccessOptions extends PartsOptions {
  log: Logger;
  /** Milliseconds for which the facilitator is waited for; three seconds unless given. */
  facilitatorMs?: number;
}

/**
 * Opens everything that charging needs. Rejects with AccessError when the settings cannot work, and with ServiceError
 * `ledger_unavailable` when the ledger's server does not answer. A facilitator that fails or is slow is only logged.
 */
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

/** Builds the metering from open parts. `now` is in milliseconds. */
export function createAccess(
  { payments, log }: { payments: PaymentSettings; log: Logger },
  parts: Parts,
  now: () => number = Date.now,
) {
  const { ledger, facilitator, chain, offers, currency, gasWallet, beatMs = 1_000 } = parts;
  const usage = new UsageMetrics();
  const secrets = secretsOf(payments);
  const passes = createPasses({ ledger, secrets, now });
  const settler = createSettler({
    ...{ ledger, chain, passes, network, beatMs, now },
    settled: (row) => noteSettled(row, { usage, log }),
  });
  const claims = createClaims({ ledger, chain, secrets, publicUrl: payments.publicUrl, now });
  const shop = { ledger, chain, offers, facilitator, settler, claims, beatMs, now, workMs: payments.deadlineMs };
  const purchases = createPurchases({ ...shop, sender: gasWallet?.address ?? anyone });
  const freeCalls = openFreeCalls(payments, ledger, now);
  // Every gathering is charged, or counts as a failure.
  const visitors = openVisitors({ ...payments, openCallsPerMinute: 0 }, now);
  const passTerms = JSON.stringify({ seconds: payments.passDays * 86_400, calls: payments.passCalls });
  const shared = { offers, passes, freeCalls, purchases, limits: visitors.limits, usage };
  const metering = createMetering({ ...shared, passTerms });
  const batches = createBatchMetering({ ...shared, ledger, now });
  /** Asks the chain about payments that were opened so many seconds of the chain ago. */
  const reconcile = (openFor: number) => settler.reconcile(openFor, purchases.isBusy);
  const timers: NodeJS.Timeout[] = [];
  return {
    metering,
    batches,
    visitors,
    usage,
    prices: priceListOf(payments),
    /** Decimals of the currency in which `usage` counts settled amounts. */
    decimals: currency.decimals,
    ledger: ledger.database,
    readiness: createReadiness(parts, { canShowPasses: passes.canShow, gasLowWei: payments.gasLowWei, now }),
    reconcile,
    /** Starts the work in the background. Failures go to the log. */
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

function openFreeCalls(payments: PaymentSettings, ledger: Parts["ledger"], now: () => number): FreeCalls {
  const budget = createDayBudget(payments.freeGatheringsPerDay, now);
  return createFreeCalls({ ledger, perDay: payments.freeCallsPerDay, secrets: secretsOf(payments), now, budget });
}

/** Drops what nobody needs any more. */
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

/** Tells the operator that passes were sold under another PASS_SECRET. An outage of the ledger is told by what needs it. */
async function tellLostSecret(passes: Passes, log: Logger): Promise<void> {
  if (!(await passes.canShow().catch(() => true))) log.warn({ event: "pass_secret", outcome: "changed" });
}

/** Gives back what instances that died have held. An outage of the ledger is told by what needs it. */
function watchCalls(ledger: Parts["ledger"], log: Logger): NodeJS.Timeout {
  const watch = async () => {
    const calls = await ledger.watchCalls();
    if (calls > 0) log.info({ event: "given_back", calls });
  };
  return repeat(watchMs, watch, () => log.debug({ event: "watch", outcome: "failed" }));
}

/** The keys of passes and client names: the one of now first. */
export function secretsOf({ passSecret, passSecretPrevious }: PaymentSettings): [string, ...string[]] {
  return passSecretPrevious === null ? [passSecret] : [passSecret, passSecretPrevious];
}

/** Runs the work now and from time to time, unless it is still under way. The timer keeps no process alive. */
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

/** What has become of payments that the chain may still take. */
const stillOpen: ReadonlySet<Reconciled["outcome"]> = new Set(["open", "unclear", "unreachable", "undone"]);

const reconcileMs = 30_000;
const watchMs = 1_000;
const forgetMs = 3_600_000;
/** For so long after its authorization ended, a failed payment keeps its answer. */
const answerKeptSeconds = 86_400;
/** For so long after its authorization ended, a payment that was never sent keeps its row. */
const unsentKeptSeconds = 86_400;
/** No older ones are looked at each time: what was sent and failed is never deleted, and would be more and more. */
const lookBackSeconds = 40 * 86_400;
/** Another process probably still works on younger ones. */
const minOpenSeconds = 30;
