import type { Hex } from "../kernel/hex.ts";
import type { PriceLookup } from "../model/case-file.ts";
import type { Read } from "./multicall.ts";
import type { EthCall, EthCallAnswer } from "./second-trip.ts";

/** Knows the price of ether from calls that ride in the second round trip, and a few more where those do not suffice. */
export interface PriceSource {
  calls(): readonly EthCall[];
  /** Must not reject: a price that cannot be told is a lookup that says so. */
  settle(answers: PriceAnswers): Promise<PriceLookup>;
}

export interface PriceAnswers {
  /** In the order of `calls()`. */
  answers: readonly EthCallAnswer[];
  /** Unix seconds of the transaction's block; null when unknown. */
  blockTime: number | null;
  /** Reads the newest state; each use is one more round trip. undefined: no answer. */
  read(reads: readonly Read[], signal: AbortSignal): Promise<(Hex | null)[] | undefined>;
  signal: AbortSignal;
}
