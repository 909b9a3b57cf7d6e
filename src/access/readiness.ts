import type { MaybePromise } from "../kernel/maybe-promise.ts";

/** Whether what charging depends on works: what /healthz shows. */
export interface Readiness {
  facilitator: "ready" | "unavailable" | "unsupported";
  ledger: "ready" | "unavailable";
  /** Ether for gas as decimal text; null when another settles, or the chain does not answer. */
  gas_balance_eth: string | null;
}

export interface ReadinessProbes {
  facilitator: () => Promise<boolean>;
  ledger: () => MaybePromise<void>;
  gasBalance: () => Promise<string | null>;
}

/**
 * Asks at most once every `freshMs` and waits for it at most `waitMs`: /healthz answers at once whatever others do. Until the
 * first answers everything counts as unavailable.
 */
export function createReadiness(probes: ReadinessProbes, freshMs = 15_000, waitMs = 1_000): () => Promise<Readiness> {
  let last: Readiness = { facilitator: "unavailable", ledger: "unavailable", gas_balance_eth: null };
  let askedAt = Number.NEGATIVE_INFINITY;
  let asking: Promise<void> = Promise.resolve();

  async function ask(): Promise<void> {
    const [facilitator, ledger, gas] = await Promise.all([
      probes.facilitator().then((yes) => (yes ? "ready" : "unsupported") as Readiness["facilitator"], unavailable),
      Promise.resolve()
        .then(probes.ledger)
        .then(() => "ready" as const, unavailable),
      probes.gasBalance().catch(() => null),
    ]);
    last = { facilitator, ledger, gas_balance_eth: gas };
  }

  return async () => {
    const now = performance.now();
    if (now - askedAt >= freshMs) {
      askedAt = now;
      asking = ask();
    }
    await Promise.race([asking, new Promise((resolve) => setTimeout(resolve, waitMs).unref())]);
    return last;
  };
}

function unavailable(): "unavailable" {
  return "unavailable";
}
