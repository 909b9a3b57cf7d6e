import type { MaybePromise } from "../../../../kernel/maybe-promise.ts";
import type { LedgerDatabase } from "../database.ts";
import type { PassRow } from "../rows.ts";

/** The account of a call: the free calls of one client on one day, or a pass. */
export type CallAccount = { kind: "free"; client: string; day: number } | { kind: "pass"; id: string };

/**
 * A call that is held for one request. Nobody else gets it, and it is not charged yet. End it with either `charge` or `giveBack`. A crash
 * gives it back.
 */
export interface TakenCall {
  /** For free calls: how many are used. For a pass: how many are left. This call is counted as used. */
  readonly count: number;
  /**
   * Charges the call, when its answer is being sent. Returns at once; the ledger is written in the background, and failed writes are tried
   * again.
   */
  charge(): void;
  /**
   * Gives the call back, when there was no answer. Gives the count without this call; null when the ledger does not answer (it is tried
   * again later).
   */
  giveBack(): MaybePromise<number | null>;
}

/** Counts free calls and calls of passes. */
export interface CallCounts {
  /** Takes a free call. null: none of the client's `cap` calls of the day is left. */
  takeFree(client: string, day: number, cap: number): MaybePromise<TakenCall | null>;
  /**
   * Takes a free call and charges it at once, for an answer that is known already. Gives how many are used then; null: none of the client's
   * `cap` calls of the day is left.
   */
  chargeFree(client: string, day: number, cap: number): MaybePromise<number | null>;
  /** Takes a call of a pass. null: none is left, or there is no such pass. `now`: Unix seconds. */
  takePassCall(id: string, now: number): MaybePromise<TakenCall | null>;
  /** How many free calls are used, including held ones. */
  readFree(client: string, day: number): MaybePromise<number>;
  /** The pass; held calls count as used. */
  findPass(id: string): MaybePromise<PassRow | undefined>;
  /** The pass has changed in the database, so it is read again. */
  forgetPass(id: string): void;
  /**
   * Shows other instances that this one is alive. Gives back calls of dead instances, and calls that are held here without being known.
   * Returns how many calls. To be called once a second.
   */
  watch(): Promise<number>;
  /** Throws ServiceError `ledger_unavailable` while charges cannot be written. */
  check(): void;
  /** Writes all charges. Calls that are still running are given back. */
  close(): MaybePromise<void>;
}

/** The reads of the database that both ways of counting need. */
export interface CallCountsOptions {
  database: LedgerDatabase;
  readUsed: (client: string, day: number) => MaybePromise<number>;
  readPass: (id: string) => MaybePromise<PassRow | undefined>;
}

/**
 * Milliseconds for which charges are collected and reads are kept, so that a busy instance writes many at once: a transaction costs as much
 * time as several answers. A crash loses at most the charges of this time.
 */
export const collectMs = 20;
/** Milliseconds until charges that could not be written are tried again. */
export const retryMs = 500;
