import { serviceLimits } from "../../../kernel/limits.ts";

/** The gas of transactions of ours that are in a block and moved nothing, within the last hour. */
export type GasLosses = ReturnType<typeof countGasLosses>;

/**
 * Payers are refused one by one, but each new one has some failures free. So there is a ceiling for all of them together. `now` is in
 * milliseconds.
 */
export function countGasLosses(now: () => number = Date.now) {
  let losses: { at: number; gas: bigint }[] = [];
  return {
    /** Notes a receipt, if it is of a transaction that moved nothing. */
    note({ status, gasUsed }: { status: "success" | "reverted"; gasUsed: bigint }): void {
      if (status === "reverted") losses.push({ at: now(), gas: gasUsed });
    },
    /** Whether nothing is sent any more, until an hour after what was lost first. */
    areTooMany(): boolean {
      losses = losses.filter(({ at }) => now() - at < hourMs);
      const lost = losses.reduce((sum, { gas }) => sum + gas, 0n);
      return lost >= BigInt(serviceLimits.revertedGasPerHour);
    },
  };
}

const hourMs = 3_600_000;
