import type { MaybePromise } from "../kernel/maybe-promise.ts";

/** Whether the systems that charging depends on work, for /healthz. */
export interface Readiness {
  facilitator: "ready" | "unavailable" | "unsupported";
  ledger: "ready" | "unavailable";
  /** Ether for gas as decimal text. null: the facilitator pays the gas, or the chain does not answer. */
  gas_balance_eth: string | null;
}

export interface ReadinessProbes {
  facilitator: () => Promise<boolean>;
  ledger: () => MaybePromise<void>;
  gasBalance: () => Promise<string | null>;
}

/**
 * Asks at most once every `freshMs` and waits at most `waitMs`, so that /healthz always answers soon. Before the first answer
 * everything counts as unavailable.
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
