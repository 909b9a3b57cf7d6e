import { decimalText } from "../kernel/amount.ts";
import type { Log } from "../kernel/log.ts";
import type { PaymentSettings } from "../settings/payment-settings.ts";
import { createAllowance } from "./allowance.ts";
import { createBackground } from "./background.ts";
import { createClientReader, type ReadClient } from "./client-address.ts";
import { Demand } from "./demand.ts";
import { createGate, type Gate } from "./gate.ts";
import { network } from "./market.ts";
import { AccessError, openParts, type Parts, type PartsOptions } from "./parts.ts";
import { createPasses } from "./pass.ts";
import { createPurchases } from "./purchase.ts";
import { createRateLimit } from "./rate-limit.ts";
import { createReadiness, type Readiness } from "./readiness.ts";
import { type Reconciled, reconcileAll } from "./reconcile.ts";
import { createSettler } from "./settle.ts";

/** Everything that a door needs to charge. */
export interface Access {
  gate: Gate;
  readClient: ReadClient;
  demand: Demand;
  /** Decimals of the currency that `demand` counts. */
  decimals: number;
  ledger: "sqlite" | "postgres";
  readiness(): Promise<Readiness>;
  /** Asks the chain about payments that have been open for so many seconds. */
  reconcile(openFor: number): Promise<Reconciled[]>;
  /** Begins to reconcile and to forget in the background. */
  start(): void;
  close(): Promise<void>;
}

export interface AccessOptions extends PartsOptions {
  log: Log;
}

/** Opens what charging needs. Rejects with AccessError when the settings cannot work; an outage is only logged. */
export async function openAccess(options: AccessOptions): Promise<Access> {
  const parts = await openParts(options);
  try {
    if (!(await parts.facilitator.supports(network))) {
      await parts.ledger.close();
      throw new AccessError([`X402_FACILITATOR: does not settle the scheme exact on ${network}.`]);
    }
  } catch (error) {
    if (error instanceof AccessError) throw error;
    options.log.warn({ event: "facilitator", outcome: "payments_unavailable" });
  }
  return createAccess(options, parts);
}

/** Charging over parts that are open. `now` is in milliseconds. */
export function createAccess(
  { payments, log }: { payments: PaymentSettings; log: Log },
  parts: Parts,
  now: () => number = Date.now,
): Access {
  const { ledger, facilitator, chain, offers, currency, gasWallet } = parts;
  const demand = new Demand();
  const secret = payments.passSecret;
  const passes = createPasses({ ledger, secret, now });
  const settler = createSettler({
    ledger,
    chain,
    passes,
    network,
    now,
    settled(row) {
      demand.addSettled(row.amount);
      if (row.product === "pass") demand.add("passes_sold");
      log.info({ event: "settled", product: row.product, amount: row.amount.toString() });
    },
  });
  const purchases = createPurchases({ ledger, offers, facilitator, settler, now });
  const allowance = createAllowance({ ledger, perDay: payments.freeCallsPerDay, secret, now });
  const rateLimit = createRateLimit(payments.rateLimitPerMinute, now);
  const passTerms = JSON.stringify({ seconds: payments.passDays * 86_400, calls: payments.passCalls });
  const gate = createGate({ offers, passes, allowance, purchases, rateLimit, demand, passTerms });
  const reconcile = (openFor: number) =>
    reconcileAll({ ledger, settler, isBusy: purchases.isBusy, now: Math.floor(now() / 1000), openFor });
  const background = createBackground({ reconcile, forget: allowance.dropOld, log });
  return {
    gate,
    readClient: createClientReader(payments.trustProxy),
    demand,
    decimals: currency.decimals,
    ledger: ledger.engine,
    readiness: createReadiness({
      facilitator: () => facilitator.supports(network),
      ledger: () => ledger.ping(),
      gasBalance: async () => (gasWallet === null ? null : decimalText(await chain.gasBalance(gasWallet), 18)),
    }),
    reconcile,
    start: background.start,
    async close() {
      background.stop();
      await ledger.close();
    },
  };
}
