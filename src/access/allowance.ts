import { createHmac } from "node:crypto";
import { andThen, type MaybePromise } from "../kernel/maybe-promise.ts";
import type { Client } from "./client-address.ts";
import type { Ledger } from "./ledger/ledger.ts";

/** What one client has free on one UTC day, after whatever was just taken. */
export interface FreeStanding {
  limit: number;
  remaining: number;
  /** Seconds until the day ends. */
  resetSeconds: number;
}

/** A call that was taken, and may be given back. */
export interface FreeCall {
  standing: FreeStanding;
  giveBack(): MaybePromise<FreeStanding>;
}

export interface Allowance {
  /** One call of today, or null when none is left. */
  take(client: Client): MaybePromise<FreeCall | null>;
  read(client: Client): MaybePromise<FreeStanding>;
  /** Forgets every day but today and yesterday. */
  dropOld(): MaybePromise<void>;
}

export interface AllowanceOptions {
  ledger: Ledger;
  perDay: number;
  /** Key of the hashes that stand for addresses. */
  secret: string;
  /** Milliseconds since the epoch. */
  now: () => number;
}

/** The free calls of each client and UTC day. Addresses never reach the ledger: it holds keyed hashes that change every day. */
export function createAllowance({ ledger, perDay, secret, now }: AllowanceOptions): Allowance {
  let day = 0;
  let names = new Map<Client, string>();

  function nameOf(client: Client, today: number): string {
    if (today !== day || names.size >= namesMax) {
      day = today;
      names = new Map();
    }
    const known = names.get(client);
    if (known !== undefined) return known;
    const name = createHmac("sha256", secret).update(`allowance|${today}|${client}`).digest("base64url").slice(0, 22);
    names.set(client, name);
    return name;
  }

  function standingAt(time: number, used: number): FreeStanding {
    const resetSeconds = Math.ceil((dayMs - (time % dayMs)) / 1000);
    return { limit: perDay, remaining: Math.max(0, perDay - used), resetSeconds };
  }

  return {
    take(client) {
      const time = now();
      const today = Math.floor(time / dayMs);
      const name = nameOf(client, today);
      return andThen(ledger.takeFree(name, today, perDay), (used) => {
        if (used === null) return null;
        return {
          standing: standingAt(time, used),
          giveBack: () => andThen(ledger.giveBackFree(name, today), (left) => standingAt(now(), left)),
        };
      });
    },
    read(client) {
      const time = now();
      const today = Math.floor(time / dayMs);
      return andThen(ledger.readFree(nameOf(client, today), today), (used) => standingAt(time, used));
    },
    dropOld: () => ledger.dropFreeBefore(Math.floor(now() / dayMs) - 1),
  };
}

const dayMs = 86_400_000;
const namesMax = 100_000;
