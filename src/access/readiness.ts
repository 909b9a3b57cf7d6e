import { decimalText } from "../kernel/amount.ts";
import { createProbe } from "../kernel/probe.ts";
import type { Parts } from "./parts.ts";
import { network } from "./payment/x402-server.ts";

/** Whether the systems that charging depends on work, for /healthz. */
export interface Readiness {
  facilitator: "ready" | "unavailable" | "unsupported";
  ledger: "ready" | "unavailable";
  /** Ether for gas as decimal text. null: the facilitator pays the gas, or the chain does not answer. */
  gas_balance_eth: string | null;
  /** What does not work as it should; empty when all is well. */
  degraded: readonly Degraded[];
}

export interface Degraded {
  part: "facilitator" | "gas_wallet" | "ledger";
  reason: "unavailable" | "unsupported" | "transaction_stuck" | "empty" | "low" | "price_too_high";
  /** Milliseconds since the epoch. */
  since: number;
}

export interface ReadinessOptions {
  /** Below this balance the gas wallet counts as low. */
  gasLowWei: bigint;
  /** Milliseconds since the epoch. */
  now: () => number;
}

/** Asks all of them. Before the first answer everything counts as unavailable. */
export function createReadiness(parts: Parts, { gasLowWei, now }: ReadinessOptions): () => Promise<Readiness> {
  const { facilitator, ledger, chain, gasWallet } = parts;
  const started = now();
  let known: readonly Degraded[] = [];

  /** With the time at which each trouble was seen first. */
  function note(troubles: readonly (Omit<Degraded, "since"> & { since?: number | undefined })[]): readonly Degraded[] {
    known = troubles.map(({ part, reason, since }) => {
      const before = known.find((one) => one.part === part && one.reason === reason);
      return { part, reason, since: since ?? before?.since ?? now() };
    });
    return known;
  }

  async function ask(): Promise<Readiness> {
    const [supported, reached, gas, dear] = await Promise.allSettled([
      facilitator.supports(network),
      (async () => ledger.ping())(),
      gasWallet === null ? null : chain.gasBalance(gasWallet.address),
      gasWallet?.isGasTooDear(),
    ]);
    const supports = supported.status === "fulfilled" && (supported.value ? "ready" : "unsupported");
    const settles = supports || "unavailable";
    const balance = gas.status === "fulfilled" ? gas.value : null;
    const isReached = reached.status === "fulfilled";
    const stuckSince = gasWallet?.stuckSince() ?? null;
    const isTooDear = dear.status === "fulfilled" && dear.value === true;
    const low = balance !== null && balance < gasLowWei ? (balance === 0n ? "empty" : "low") : null;
    const gasTrouble = gas.status === "rejected" ? "unavailable" : low;
    return {
      facilitator: settles,
      ledger: isReached ? "ready" : "unavailable",
      gas_balance_eth: balance === null ? null : decimalText(balance, 18),
      degraded: note([
        ...(settles === "ready" ? [] : [{ part: "facilitator", reason: settles } as const]),
        ...(stuckSince === null
          ? []
          : [{ part: "facilitator", reason: "transaction_stuck", since: stuckSince } as const]),
        ...(gasTrouble === null ? [] : [{ part: "gas_wallet", reason: gasTrouble } as const]),
        ...(isTooDear ? [{ part: "gas_wallet", reason: "price_too_high" } as const] : []),
        ...(isReached ? [] : [{ part: "ledger", reason: "unavailable" } as const]),
      ]),
    };
  }

  const none: Readiness = {
    facilitator: "unavailable",
    ledger: "unavailable",
    gas_balance_eth: null,
    degraded: (["facilitator", "ledger"] as const).map((part) => ({ part, reason: "unavailable", since: started })),
  };
  return createProbe(ask, none, { freshMs: 15_000, waitMs: 1_000 });
}
