import type { MaybePromise } from "../kernel/maybe-promise.ts";
import { createProbe } from "../kernel/probe.ts";

/** Whether the systems that charging depends on work, for /healthz. */
export interface Readiness {
  facilitator: "ready" | "unavailable" | "unsupported";
  ledger: "ready" | "unavailable";
  /** Ether for gas as decimal text. null: the facilitator pays the gas, or the chain does not answer. */
  gas_balance_eth: string | null;
}

/** Asks all of them. Before the first answer everything counts as unavailable. */
export function createReadiness(probes: {
  facilitator: () => Promise<boolean>;
  ledger: () => MaybePromise<void>;
  gasBalance: () => Promise<string | null>;
}): () => Promise<Readiness> {
  const unavailable = () => "unavailable" as const;
  const none: Readiness = { facilitator: "unavailable", ledger: "unavailable", gas_balance_eth: null };

  async function ask(): Promise<Readiness> {
    const [facilitator, ledger, gas] = await Promise.all([
      probes.facilitator().then((yes) => (yes ? "ready" : "unsupported"), unavailable),
      Promise.resolve()
        .then(probes.ledger)
        .then(() => "ready" as const, unavailable),
      probes.gasBalance().catch(() => null),
    ]);
    return { facilitator, ledger, gas_balance_eth: gas };
  }

  return createProbe(ask, none, { freshMs: 15_000, waitMs: 1_000 });
}
