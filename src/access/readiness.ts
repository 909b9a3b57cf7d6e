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
}

/** Asks all of them. Before the first answer everything counts as unavailable. */
export function createReadiness({ facilitator, ledger, chain, gasWallet }: Parts): () => Promise<Readiness> {
  async function ask(): Promise<Readiness> {
    const [supported, reached, gas] = await Promise.allSettled([
      facilitator.supports(network),
      (async () => ledger.ping())(),
      gasWallet === null ? null : chain.gasBalance(gasWallet),
    ]);
    const supports = supported.status === "fulfilled" && (supported.value ? "ready" : "unsupported");
    const balance = gas.status === "fulfilled" ? gas.value : null;
    return {
      facilitator: supports || "unavailable",
      ledger: reached.status === "fulfilled" ? "ready" : "unavailable",
      gas_balance_eth: balance === null ? null : decimalText(balance, 18),
    };
  }

  const none: Readiness = { facilitator: "unavailable", ledger: "unavailable", gas_balance_eth: null };
  return createProbe(ask, none, { freshMs: 15_000, waitMs: 1_000 });
}
