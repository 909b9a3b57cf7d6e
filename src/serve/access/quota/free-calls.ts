import { createHmac } from "node:crypto";
import { LRUCache } from "lru-cache";
import { andThen, type MaybePromise } from "../../../kernel/maybe-promise.ts";
import type { Ledger } from "../ledger/ledger.ts";
import { type Client, networksOf } from "./client-address.ts";
import type { DayBudget } from "./day-budget.ts";
import { createNetworkCalls } from "./network-calls.ts";

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
  /** For work, of all clients together; absent: no limit. */
  budget?: DayBudget;
  /** For hashes of addresses; counts under the previous one still apply. */
  secrets: readonly string[];
  /** Ms since the epoch. */
  now: () => number;
}

/** By client, network and UTC day. The ledger gets keyed hashes that change daily, no addresses. */
export function createFreeCalls(options: FreeCallsOptions) {
  const { ledger, perDay, now } = options;
  const days = openDays(options);
  const { networks, spent, today, noteSpent, quotaAt } = days;

  return {
    /** Nothing left a moment ago; asks no ledger. */
    recallSpent: (client: Client): FreeQuota | undefined => spent.get(client),
    /** For an answer to be gathered, perhaps. `call` null: none is left. */
    take: (client: Client) => takeFromBudget(options, days, client),
    /** For a known answer. null: none is left. */
    charge(client: Client): MaybePromise<FreeQuota | null> {
      if (networksOf(client).length > 0)
        return andThen(takeCall(options, days, client), ({ quota, call }) => {
          call?.charge();
          return call === null ? null : quota;
        });
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
        andThen(ledger.readFree(name, number), (used) =>
          andThen(networks.left(client, number), (left) => quotaAt(time, before + used, left)),
        ),
      );
    },
    /** Counts of days before yesterday. */
    dropOld: () => ledger.dropFreeBefore(Math.floor(now() / dayMs) - 1),
  };
}

function openDays({ ledger, perDay, secrets, now }: FreeCallsOptions) {
  const namesOf = rememberNames(secrets);
  const networks = createNetworkCalls({ ledger, perDay, nameOf: (client, day) => namesOf(client, day).name });
  const spent = new LRUCache<Client, FreeQuota>({ max: namesMax, ttl: spentMs, ttlResolution: 0, perf: { now } });

  function quotaAt(time: number, used: number, ofNetworks = Number.POSITIVE_INFINITY): FreeQuota {
    const resetSeconds = Math.ceil((dayMs - (time % dayMs)) / 1000);
    return { limit: perDay, remaining: Math.max(0, Math.min(perDay - used, ofNetworks)), resetSeconds };
  }

  return {
    networks,
    spent,
    quotaAt,
    /** Counts under the previous key count; none are added there. */
    today<T>(client: Client, use: (day: ClientDay) => MaybePromise<T>): MaybePromise<T> {
      const time = now();
      const number = Math.floor(time / dayMs);
      const { name, earlier } = namesOf(client, number);
      const usedEarlier = earlier === undefined ? 0 : ledger.readFree(earlier, number);
      return andThen(usedEarlier, (before) => use({ time, number, name, before }));
    },
    noteSpent(client: Client, time: number): FreeQuota {
      const quota = quotaAt(time, perDay);
      spent.set(client, quota);
      return quota;
    },
  };
}

/** null: the budget of all is used up; the client keeps its calls. */
function takeFromBudget(
  options: FreeCallsOptions,
  days: ReturnType<typeof openDays>,
  client: Client,
): ReturnType<typeof takeCall> {
  const { budget } = options;
  if (budget === undefined) return takeCall(options, days, client);
  if (!budget.take())
    return days.today(client, ({ time }) => ({ quota: days.quotaAt(time, options.perDay), call: null }));
  return andThen(takeCall(options, days, client), ({ quota, call }) => {
    if (call === null) budget.giveBack();
    const giveBack = () => {
      budget.giveBack();
      return call?.giveBack() as MaybePromise<FreeQuota>;
    };
    return { quota, call: call && { charge: call.charge, giveBack } };
  });
}

function takeCall(
  { ledger, perDay, now }: FreeCallsOptions,
  { networks, spent, today, noteSpent, quotaAt }: ReturnType<typeof openDays>,
  client: Client,
): MaybePromise<{ quota: FreeQuota; call: FreeCall | null }> {
  return today(client, ({ time, number, name, before }) => {
    const none = () => ({ quota: noteSpent(client, time), call: null });
    return andThen(ledger.takeFree(name, number, perDay - before), (taken) => {
      if (taken === null) return none();
      return andThen(networks.take(client, number), (wider) => {
        if (wider === null) return andThen(taken.giveBack(), none);
        const charge = () => {
          taken.charge();
          wider.charge();
        };
        const giveBack = () => {
          spent.delete(client);
          return andThen(wider.giveBack(), () =>
            andThen(taken.giveBack(), (used) => quotaAt(now(), before + (used ?? taken.count - 1), wider.left + 1)),
          );
        };
        return { quota: quotaAt(time, before + taken.count, wider.left), call: { charge, giveBack } };
      });
    });
  });
}

/** A client today. */
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
