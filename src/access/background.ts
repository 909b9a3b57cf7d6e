import type { Log } from "../kernel/log.ts";
import type { MaybePromise } from "../kernel/maybe-promise.ts";
import type { Reconciled } from "./payment/reconciliation.ts";

export interface BackgroundOptions {
  /** Asks the chain about payments that have been open for so many seconds. */
  reconcile: (openFor: number) => Promise<Reconciled[]>;
  /** Deletes old counts. */
  forget: () => MaybePromise<void>;
  log: Log;
}

/** Work at the start and from time to time. Failures go to the log, and the timers keep no process alive. */
export function createBackground({ reconcile, forget, log }: BackgroundOptions): { start(): void; stop(): void } {
  const timers: NodeJS.Timeout[] = [];
  // At the start nobody works on the payments that a crash left open.
  let openFor = 0;

  async function reconcileNow(): Promise<void> {
    const reconciled = await reconcile(openFor);
    openFor = minOpenSeconds;
    for (const { payment, outcome } of reconciled) log.info({ event: "reconciled", product: payment.product, outcome });
  }

  function repeat(name: string, everyMs: number, run: () => Promise<void>): void {
    const guarded = () => void run().catch(() => log.warn({ event: name, outcome: "failed" }));
    guarded();
    timers.push(setInterval(guarded, everyMs).unref());
  }

  return {
    start() {
      repeat("reconcile", reconcileMs, reconcileNow);
      repeat("forget", forgetMs, async () => forget());
    },
    stop() {
      for (const timer of timers) clearInterval(timer);
    },
  };
}

const reconcileMs = 30_000;
const forgetMs = 3_600_000;
/** Another process probably still works on younger ones. */
const minOpenSeconds = 30;
