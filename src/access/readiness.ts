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

/** Something that does not work; the time is known where it was noticed before. */
type Trouble = Omit<Degraded, "since"> & { since?: number };

function answerOf<T>(result: PromiseSettledResult<T>): T | undefined {
  return result.status === "fulfilled" ? result.value : undefined;
}

/** Whether the gas wallet has too little. */
function shortage(balance: bigint | null, lowWei: bigint): "empty" | "low" | null {
  if (balance === null || balance >= lowWei) return null;
  return balance === 0n ? "empty" : "low";
}

/** Asks all of them. Before the first answer everything counts as unavailable. */
export function createReadiness(parts: Parts, { gasLowWei, now }: ReadinessOptions): () => Promise<Readiness> {
  const { facilitator, ledger, chain, gasWallet } = parts;
  const started = now();
  let known: readonly Degraded[] = [];

  /** With the time at which each trouble was seen first. */
  function note(troubles: readonly Trouble[]): readonly Degraded[] {
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
    const balance = answerOf(gas) ?? null;
    const isReached = reached.status === "fulfilled";
    const troubles: Trouble[] = [];
    if (settles !== "ready") troubles.push({ part: "facilitator", reason: settles });
    const stuckSince = gasWallet?.stuckSince() ?? null;
    if (stuckSince !== null) troubles.push({ part: "facilitator", reason: "transaction_stuck", since: stuckSince });
    const gasTrouble = gas.status === "rejected" ? "unavailable" : shortage(balance, gasLowWei);
    if (gasTrouble !== null) troubles.push({ part: "gas_wallet", reason: gasTrouble });
    if (answerOf(dear) === true) troubles.push({ part: "gas_wallet", reason: "price_too_high" });
    if (!isReached) troubles.push({ part: "ledger", reason: "unavailable" });
    return {
      facilitator: settles,
      ledger: isReached ? "ready" : "unavailable",
      gas_balance_eth: balance === null ? null : decimalText(balance, 18),
      degraded: note(troubles),
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
