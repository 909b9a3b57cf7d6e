import { createHmac } from "node:crypto";
import { andThen } from "../../kernel/maybe-promise.ts";
import type { Ledger } from "../ledger/ledger.ts";
import type { Client } from "./client-address.ts";

/** The free calls that one client has left on this UTC day. */
export interface FreeQuota {
  limit: number;
  remaining: number;
  /** Seconds until the day ends. */
  resetSeconds: number;
}

/** The free calls of all clients. */
export type FreeCalls = ReturnType<typeof createFreeCalls>;

export interface FreeCallsOptions {
  ledger: Ledger;
  perDay: number;
  /** The key that addresses are hashed with. */
  secret: string;
  /** Milliseconds since the epoch. */
  now: () => number;
}

/** Counts free calls per client and UTC day. The ledger gets no addresses, only keyed hashes that change every day. */
export function createFreeCalls({ ledger, perDay, secret, now }: FreeCallsOptions) {
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

  function quotaAt(time: number, used: number): FreeQuota {
    const resetSeconds = Math.ceil((dayMs - (time % dayMs)) / 1000);
    return { limit: perDay, remaining: Math.max(0, perDay - used), resetSeconds };
  }

  return {
    /** Takes one of today's calls, which can be given back. null: none is left. */
    take(client: Client) {
      const time = now();
      const today = Math.floor(time / dayMs);
      const name = nameOf(client, today);
      return andThen(ledger.takeFree(name, today, perDay), (used) => {
        if (used === null) return null;
        return {
          quota: quotaAt(time, used),
          giveBack: () => andThen(ledger.giveBackFree(name, today), (left) => quotaAt(now(), left)),
        };
      });
    },
    read(client: Client) {
      const time = now();
      const today = Math.floor(time / dayMs);
      return andThen(ledger.readFree(nameOf(client, today), today), (used) => quotaAt(time, used));
    },
    /** Deletes the counts of all days before yesterday. */
    dropOld: () => ledger.dropFreeBefore(Math.floor(now() / dayMs) - 1),
  };
}

const dayMs = 86_400_000;
const namesMax = 100_000;
