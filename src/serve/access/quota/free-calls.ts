import { createHmac } from "node:crypto";
import { LRUCache } from "lru-cache";
import { andThen, type MaybePromise } from "../../../kernel/maybe-promise.ts";
import type { Ledger } from "../ledger/ledger.ts";
import type { Client } from "./client-address.ts";

/** Left on this UTC day. */
export interface FreeQuota {
  limit: number;
  remaining: number;
  /** Until it ends. */
  resetSeconds: number;
}

/** Held until charged or returned. */
export interface FreeCall {
  charge(): void;
  /** Returns what is left then. */
  giveBack(): MaybePromise<FreeQuota>;
}

export type FreeCalls = ReturnType<typeof createFreeCalls>;

export interface FreeCallsOptions {
  ledger: Ledger;
  perDay: number;
  /** Address keys: current, and previous, whose counts still apply. */
  secrets: readonly string[];
  /** Ms since the epoch. */
  now: () => number;
}

/** Per client and UTC day. The ledger gets keyed hashes that change daily, no addresses. */
export function createFreeCalls({ ledger, perDay, secrets, now }: FreeCallsOptions) {
  const namesOf = rememberNames(secrets);
  const spent = new LRUCache<Client, FreeQuota>({ max: namesMax, ttl: spentMs, ttlResolution: 0, perf: { now } });

  function quotaAt(time: number, used: number): FreeQuota {
    const resetSeconds = Math.ceil((dayMs - (time % dayMs)) / 1000);
    return { limit: perDay, remaining: Math.max(0, perDay - used), resetSeconds };
  }

  /** Counts under the previous key apply; none are added. */
  function today<T>(client: Client, use: (day: ClientDay) => MaybePromise<T>): MaybePromise<T> {
    const time = now();
    const number = Math.floor(time / dayMs);
    const { name, earlier } = namesOf(client, number);
    const usedEarlier = earlier === undefined ? 0 : ledger.readFree(earlier, number);
    return andThen(usedEarlier, (before) => use({ time, number, name, before }));
  }

  /** No call left. */
  function noteSpent(client: Client, time: number): FreeQuota {
    const quota = quotaAt(time, perDay);
    spent.set(client, quota);
    return quota;
  }

  return {
    /** Nothing left a moment ago; asks no ledger. */
    recallSpent: (client: Client): FreeQuota | undefined => spent.get(client),
    /** `call` null: none left. */
    take(client: Client): MaybePromise<{ quota: FreeQuota; call: FreeCall | null }> {
      return today(client, ({ time, number, name, before }) =>
        andThen(ledger.takeFree(name, number, perDay - before), (taken) => {
          if (taken === null) return { quota: noteSpent(client, time), call: null };
          const giveBack = () => {
            spent.delete(client);
            return andThen(taken.giveBack(), (used) => quotaAt(now(), before + (used ?? taken.count - 1)));
          };
          return { quota: quotaAt(time, before + taken.count), call: { charge: taken.charge, giveBack } };
        }),
      );
    },
    /** At once, for a known answer. null: none left. */
    charge(client: Client): MaybePromise<FreeQuota | null> {
      return today(client, ({ time, number, name, before }) =>
        andThen(ledger.chargeFree(name, number, perDay - before), (used) => {
          if (used !== null) return quotaAt(time, before + used);
          noteSpent(client, time);
          return null;
        }),
      );
    },
    read(client: Client): MaybePromise<FreeQuota> {
      return today(client, ({ time, number, name, before }) =>
        andThen(ledger.readFree(name, number), (used) => quotaAt(time, before + used)),
      );
    },
    /** Counts of days before yesterday. */
    dropOld: () => ledger.dropFreeBefore(Math.floor(now() / dayMs) - 1),
  };
}

interface ClientDay {
  /** Ms since the epoch. */
  time: number;
  /** Days since the epoch. */
  number: number;
  name: string;
  /** Under the previous key. */
  before: number;
}

/** Names in the ledger, today. */
interface ClientNames {
  name: string;
  /** Under the previous key. */
  earlier: string | undefined;
}

/** Each is a keyed hash. */
function rememberNames(secrets: readonly string[]): (client: Client, day: number) => ClientNames {
  let today = 0;
  let names = new Map<Client, ClientNames>();
  return (client, day) => {
    if (day !== today || names.size >= namesMax) {
      today = day;
      names = new Map();
    }
    const known = names.get(client);
    if (known !== undefined) return known;
    const [name = "", earlier] = secrets.map((secret) =>
      createHmac("sha256", secret).update(`allowance|${day}|${client}`).digest("base64url").slice(0, 22),
    );
    const made = { name, earlier };
    names.set(client, made);
    return made;
  };
}

const dayMs = 86_400_000;
/** Without asking the ledger again. */
const spentMs = 1_000;
const namesMax = 100_000;
