import { ServiceError } from "../../kernel/error.ts";
import type { Access } from "../access/open.ts";
import { priceListOf } from "../access/price-list.ts";
import { openVisitors } from "../access/quota/visitors.ts";
import { UsageMetrics } from "../access/usage-metrics.ts";
import type { PaymentSettings } from "../settings/payment-settings.ts";

export interface WaitingOptions {
  payments: PaymentSettings;
  /** Rejects while the ledger is silent. */
  open: () => Promise<Access>;
  /** Temporary. */
  isServerAway: (error: unknown) => boolean;
  /** Permanent. */
  failed: (error: unknown) => void;
  /** Between attempts. */
  everyMs?: number;
}

/**
 * The service charges but has no ledger yet: calls fail with `ledger_unavailable`, nothing is free, readiness reports it. Later everything
 * goes to the real access.
 */
export function waitForAccess({ payments, open, isServerAway, failed, everyMs = 2_000 }: WaitingOptions): Access {
  const waiting = createWaitingAccess(payments);
  let opened: Access | undefined;
  let started = false;
  let closed = false;
  let timer: NodeJS.Timeout | undefined;

  async function tryAgain(): Promise<void> {
    try {
      const access = await open();
      if (closed) return void (await access.close());
      opened = access;
      if (started) access.start();
    } catch (error) {
      if (!isServerAway(error)) failed(error);
      else if (!closed) wait();
    }
  }
  const wait = () => {
    timer = setTimeout(() => void tryAgain(), everyMs).unref();
  };
  wait();

  const control: Pick<Access, "start" | "close"> = {
    start() {
      started = true;
      opened?.start();
    },
    async close() {
      closed = true;
      clearTimeout(timer);
      await opened?.close();
    },
  };
  return new Proxy(waiting, {
    get: (_target, name) => Reflect.get(name in control ? control : (opened ?? waiting), name),
  });
}

function createWaitingAccess(payments: PaymentSettings): Access {
  const since = Date.now();
  const refuse = (): never => {
    throw new ServiceError("ledger_unavailable");
  };
  // Admissions throw; checks and notes do nothing.
  const onlyNotes = (name: string | symbol) => /^(?:check|note)/.test(String(name));
  const metering = new Proxy({} as Access["metering"], {
    get: (_target, name) => (onlyNotes(name) ? () => {} : refuse),
  });
  return {
    metering,
    batches: { admit: refuse },
    visitors: openVisitors({ ...payments, openCallsPerMinute: 0 }),
    usage: new UsageMetrics(),
    prices: priceListOf(payments),
    decimals: 6,
    ledger: "postgres",
    readiness: async () => ({
      facilitator: "unavailable",
      ledger: "unavailable",
      gas_balance_eth: null,
      degraded: [{ part: "ledger", reason: "unavailable", since }],
    }),
    reconcile: async () => [],
    start() {},
    close: async () => {},
  };
}
