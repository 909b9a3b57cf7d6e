import type { Address } from "../kernel/address.ts";
import type { Hex } from "../kernel/hex.ts";

/** One question to the state of the chain. */
export type StateRead =
  | { kind: "code"; address: Address }
  | { kind: "storage"; address: Address; slot: Hex }
  | { kind: "call"; to: Address; data: Hex };

/** Answers in the order of the reads; null where a call reverted. `latest`: no endpoint had the state of that block, so the newest state was read. */
export interface StateAnswer {
  at: "block" | "latest";
  results: (Hex | null)[];
}

/** Reads the state right after a block; undefined when no endpoint answered. Never rejects. */
export type ReadState = (
  reads: readonly StateRead[],
  block: number,
  signal: AbortSignal,
) => Promise<StateAnswer | undefined>;
