import type { MaybePromise } from "../../../kernel/maybe-promise.ts";
import type { LedgerDatabase } from "../database.ts";
import type { PassRow } from "../rows.ts";

/** What a call is taken from: the free calls of one client on one day, or a pass. */
export type CallAccount = { kind: "free"; client: string; day: number } | { kind: "pass"; id: string };

/**
 * A call that is held for one request. Nobody else gets it, and it is not charged yet: end it with either `charge` or `giveBack`. A
 * crash gives it back.
 */
export interface TakenCall {
  /** Of free calls: how many are used now. Of a pass: how many are left now. This one is counted. */
  readonly count: number;
  /** The answer is being sent. Returns at once; the ledger is written in the background, and whatever fails is tried again. */
  charge(): void;
  /** Nothing was answered. Gives the count without this call; null when the ledger does not answer (it is told later). */
  giveBack(): MaybePromise<number | null>;
}

/** Counts free calls and calls of passes. */
export interface CallCounts {
  /** null: none of the client's `cap` calls of the day is left. */
  takeFree(client: string, day: number, cap: number): MaybePromise<TakenCall | null>;
  /**
   * Takes a free call and charges it at once, for an answer that is there already. Gives how many are used now; null: none of the
   * client's `cap` calls of the day is left.
   */
  chargeFree(client: string, day: number, cap: number): MaybePromise<number | null>;
  /** null: there was none. `now`: Unix seconds. */
  takePassCall(id: string, now: number): MaybePromise<TakenCall | null>;
  /** How many free calls are used, held ones included. */
  readFree(client: string, day: number): MaybePromise<number>;
  /** The pass with the calls that are held counted as used. */
  findPass(id: string): MaybePromise<PassRow | undefined>;
  /**
   * Shows the other instances that this one lives, and gives back what dead ones held, and what is held here without anybody knowing.
   * Returns how many calls. To be called once a second.
   */
  watch(): Promise<number>;
  /** Throws ServiceError `ledger_unavailable` while charges cannot be written. */
  check(): void;
  /** Writes what is charged. Calls that still run are given back. */
  close(): MaybePromise<void>;
}

/** What both ways of counting need: reading what the database counts. */
export interface CallCountsOptions {
  database: LedgerDatabase;
  readUsed: (client: string, day: number) => MaybePromise<number>;
  readPass: (id: string) => MaybePromise<PassRow | undefined>;
}

/**
 * Milliseconds in which charges are collected and reads are kept, so that a busy instance does many at once: a transaction costs as
 * much as several answers. A crash forgets the charges of that time at most.
 */
export const collectMs = 20;
/** Milliseconds until charges that could not be written are tried again. */
export const retryMs = 500;
