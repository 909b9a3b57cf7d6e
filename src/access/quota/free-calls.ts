import { createHmac } from "node:crypto";
import { andThen, type MaybePromise } from "../../kernel/maybe-promise.ts";
import type { Ledger } from "../ledger/ledger.ts";
import type { Client } from "./client-address.ts";

/** The free calls that one client has left on this UTC day. */
export interface FreeQuota {
  limit: number;
  remaining: number;
  /** Seconds until the day ends. */
  resetSeconds: number;
}

/** A free call that is held until it is charged or given back. */
export interface FreeCall {
  charge(): void;
  /** Gives what is left then. */
  giveBack(): MaybePromise<FreeQuota>;
}

/** The free calls of all clients. */
export type FreeCalls = ReturnType<typeof createFreeCalls>;

export interface FreeCallsOptions {
  ledger: Ledger;
  perDay: number;
  /** The keys that addresses are hashed with: the one of now, and the one before it, whose counts still apply. */
  secrets: readonly string[];
  /** Milliseconds since the epoch. */
  now: () => number;
}

/** Counts free calls per client and UTC day. The ledger gets no addresses, only keyed hashes that change every day. */
export function createFreeCalls({ ledger, perDay, secrets, now }: FreeCallsOptions) {
  let day = 0;
  let names = new Map<Client, ClientNames>();

  function namesOf(client: Client, today: number): ClientNames {
    if (today !== day || names.size >= namesMax) {
      day = today;
      names = new Map();
    }
    const known = names.get(client);
    if (known !== undefined) return known;
    const [name = "", earlier] = secrets.map((secret) => {
      return createHmac("sha256", secret).update(`allowance|${today}|${client}`).digest("base64url").slice(0, 22);
    });
    const made = { name, earlier };
    names.set(client, made);
    return made;
  }

  /** What was used under the secret before. Nothing is added to it any more. */
  function readEarlier({ earlier }: ClientNames, today: number): MaybePromise<number> {
    return earlier === undefined ? 0 : ledger.readFree(earlier, today);
  }

  function quotaAt(time: number, used: number): FreeQuota {
    const resetSeconds = Math.ceil((dayMs - (time % dayMs)) / 1000);
    return { limit: perDay, remaining: Math.max(0, perDay - used), resetSeconds };
  }

  return {
    /** Takes one of today's calls. `call` is null when none is left. */
    take(client: Client): MaybePromise<{ quota: FreeQuota; call: FreeCall | null }> {
      const time = now();
      const today = Math.floor(time / dayMs);
      const known = namesOf(client, today);
      return andThen(readEarlier(known, today), (earlier) =>
        andThen(ledger.takeFree(known.name, today, perDay - earlier), (taken) => {
          if (taken === null) return { quota: quotaAt(time, perDay), call: null };
          const giveBack = () =>
            andThen(taken.giveBack(), (used) => quotaAt(now(), earlier + (used ?? taken.count - 1)));
          return { quota: quotaAt(time, earlier + taken.count), call: { charge: taken.charge, giveBack } };
        }),
      );
    },
    /** Takes one of today's calls and charges it at once, for an answer that is there already. null: none is left. */
    charge(client: Client): MaybePromise<FreeQuota | null> {
      const time = now();
      const today = Math.floor(time / dayMs);
      const known = namesOf(client, today);
      return andThen(readEarlier(known, today), (earlier) =>
        andThen(ledger.chargeFree(known.name, today, perDay - earlier), (used) =>
          used === null ? null : quotaAt(time, earlier + used),
        ),
      );
    },
    read(client: Client): MaybePromise<FreeQuota> {
      const time = now();
      const today = Math.floor(time / dayMs);
      const known = namesOf(client, today);
      return andThen(readEarlier(known, today), (earlier) =>
        andThen(ledger.readFree(known.name, today), (used) => quotaAt(time, earlier + used)),
      );
    },
    /** Deletes the counts of all days before yesterday. */
    dropOld: () => ledger.dropFreeBefore(Math.floor(now() / dayMs) - 1),
  };
}

/** The names of a client in the ledger, today. */
interface ClientNames {
  name: string;
  /** Under the secret before. */
  earlier: string | undefined;
}

const dayMs = 86_400_000;
const namesMax = 100_000;
