import type { MaybePromise } from "../../../../kernel/maybe-promise.ts";
import type { LedgerDatabase } from "../database.ts";
import type { PassRow } from "../rows.ts";

export type CallAccount = { kind: "free"; client: string; day: number } | { kind: "pass"; id: string };

/** For one request alone. Ends with `charge` or `giveBack`; a crash gives it back. */
export interface TakenCall {
  /** Free calls: used; pass: left. With this one. */
  readonly count: number;
  /** When the answer is sent. Returns at once; written in the background, retried. */
  charge(): void;
  /** Without an answer. The count then; null: no ledger (retried). */
  giveBack(): MaybePromise<number | null>;
}

export interface CallCounts {
  /** null: none of `cap` is left. */
  takeFree(client: string, day: number, cap: number): MaybePromise<TakenCall | null>;
  /** null: none is left, or no such pass. `now`: Unix seconds. */
  takePassCall(id: string, now: number): MaybePromise<TakenCall | null>;
  /** With held ones. */
  readFree(client: string, day: number): MaybePromise<number>;
  /** Held calls count as used. */
  findPass(id: string): MaybePromise<PassRow | undefined>;
  /** It changed: read again. */
  forgetPass(id: string): void;
  /** Once a second: a sign of life. Gives back calls of dead instances and unknown ones; returns how many. */
  watch(): Promise<number>;
  /** ServiceError `ledger_unavailable` while charges cannot be written. */
  check(): void;
  /** Writes charges, gives back running calls. */
  close(): MaybePromise<void>;
}

export interface CallCountsOptions {
  database: LedgerDatabase;
  readUsed: (client: string, day: number) => MaybePromise<number>;
  readPass: (id: string) => MaybePromise<PassRow | undefined>;
}

/**
 * Ms for collecting charges and keeping reads: a transaction costs as much as several answers. A crash loses the charges of this time at
 * most.
 */
export const collectMs = 20;
/** Ms until charges are tried again. */
export const retryMs = 500;
