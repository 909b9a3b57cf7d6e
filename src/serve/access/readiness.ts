import { decimalText } from "../../kernel/amount.ts";
import { createProbe } from "../../kernel/probe.ts";
import type { Parts } from "./parts.ts";
import { network } from "./payment/x402-server.ts";

/** For /healthz. */
export interface Readiness {
  facilitator: "ready" | "unavailable" | "unsupported";
  ledger: "ready" | "unavailable";
  /** Decimal text. null: the facilitator pays, or no answer. */
  gas_balance_eth: string | null;
  /** Empty: all work. */
  degraded: readonly Degraded[];
}

export interface Degraded {
  part: "facilitator" | "gas_wallet" | "ledger";
  reason:
    | "unavailable"
    | "unsupported"
    | "transaction_stuck"
    | "empty"
    | "low"
    | "price_too_high"
    | "reverted_gas"
    | "pass_secret";
  /** Milliseconds since the epoch. */
  since: number;
}

export interface ReadinessOptions {
  /** Sold passes can be shown again. */
  canShowPasses: () => Promise<boolean>;
  /** A balance below this is low. */
  gasLowWei: bigint;
  /** Ms since the epoch. */
  now: () => number;
}

/** `since` undefined: of the first notice. */
type Trouble = Omit<Degraded, "since"> & { since: number | undefined };

/** Each part alone, so a slow one delays none. Unavailable before its first answer. */
export function createReadiness(
  parts: Parts,
  { canShowPasses, gasLowWei, now }: ReadinessOptions,
): () => Promise<Readiness> {
  const { facilitator, ledger, chain, gasWallet } = parts;
  const started = now();
  const supports = watch(() => facilitator.supports(network));
  const isReached = watch(async () => {
    await ledger.ping();
    return true;
  });
  const balanceOf = watch(async () => (gasWallet === null ? null : chain.gasBalance(gasWallet.address)));
  const isTooDear = watch(async () => gasWallet !== null && (await gasWallet.isGasTooDear()));
  const canShow = watch(canShowPasses);
  let known: readonly Degraded[] = [];

  /** With the time of the first notice. */
  function note(troubles: readonly Trouble[]): readonly Degraded[] {
    known = troubles.map(({ part, reason, since }) => {
      const before = known.find((one) => one.part === part && one.reason === reason);
      return { part, reason, since: since ?? before?.since ?? now() };
    });
    return known;
  }

  return async () => {
    const asked = [supports(), isReached(), balanceOf(), isTooDear(), canShow()] as const;
    const [supported, reached, gas, dear, shown] = await Promise.all(asked);
    const settles = supported.value === undefined ? "unavailable" : supported.value ? "ready" : "unsupported";
    const troubles: Trouble[] = [];
    if (settles !== "ready") troubles.push({ part: "facilitator", reason: settles, since: sinceOf(supported) });
    const stuckSince = gasWallet?.stuckSince() ?? null;
    if (stuckSince !== null) troubles.push({ part: "facilitator", reason: "transaction_stuck", since: stuckSince });
    if (gasWallet !== null) {
      const reason = reasonOf(gas.value, gasLowWei);
      if (reason !== null) troubles.push({ part: "gas_wallet", reason, since: sinceOf(gas) });
      troubles.push(...sendingTroubles(gasWallet, dear.value));
    }
    if (!reached.value) troubles.push({ part: "ledger", reason: "unavailable", since: sinceOf(reached) });
    if (shown.value === false) troubles.push({ part: "ledger", reason: "pass_secret", since: undefined });
    return {
      facilitator: settles,
      ledger: reached.value ? "ready" : "unavailable",
      gas_balance_eth: gas.value == null ? null : decimalText(gas.value, 18),
      degraded: note(troubles),
    };
  };

  /** Never answered: since the start. */
  function sinceOf({ asked }: LastAnswer<unknown>): number | undefined {
    return asked ? undefined : started;
  }
}

/** Why the gas wallet sends nothing now, whatever it holds. */
function sendingTroubles(wallet: NonNullable<Parts["gasWallet"]>, isTooDear: boolean | undefined): Trouble[] {
  const trouble = (reason: Degraded["reason"]): Trouble => ({ part: "gas_wallet", reason, since: undefined });
  return [
    ...(isTooDear === true ? [trouble("price_too_high")] : []),
    ...(wallet.hasLostTooMuch() ? [trouble("reverted_gas")] : []),
  ];
}

/** The last answer of one part. `value` undefined: it failed, or has not answered yet (`asked` false). */
interface LastAnswer<T> {
  asked: boolean;
  value: T | undefined;
}

function watch<T>(ask: () => Promise<T>): () => Promise<LastAnswer<T>> {
  const answered = (value: T | undefined): LastAnswer<T> => ({ asked: true, value });
  const askAgain = () => ask().then(answered, () => answered(undefined));
  return createProbe<LastAnswer<T>>(askAgain, { asked: false, value: undefined }, { freshMs: 15_000, waitMs: 1_000 });
}

/** Wei; null: nothing wrong. Unknown: unavailable. */
function reasonOf(balance: bigint | null | undefined, gasLowWei: bigint): Degraded["reason"] | null {
  if (balance == null) return "unavailable";
  if (balance === 0n && gasLowWei > 0n) return "empty";
  return balance < gasLowWei ? "low" : null;
}
