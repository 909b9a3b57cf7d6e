import { createHmac } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { Ledger } from "../ledger/ledger.ts";
import type { Client } from "./client-address.ts";
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
  giveBack(): Promise<FreeQuota>;
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
  const { ledger, now } = options;
  const days = openDays(options);
  const { networks, spent, today, quotaAt } = days;

  return {
    /** Nothing left a moment ago; asks no ledger. */
    recallSpent: (client: Client): FreeQuota | undefined => spent.get(client),
    /** For an answer to be gathered, perhaps. `call` null: none is left. */
    take: (client: Client) => takeFromBudget(options, days, client),
    /** For a known answer. null: none is left. */
    async charge(client: Client): Promise<FreeQuota | null> {
      const { quota, call } = await takeCall(options, days, client);
      call?.charge();
      return call && quota;
    },
    async read(client: Client): Promise<FreeQuota> {
      const { time, number, name, before } = await today(client);
      const used = await ledger.readFree(name, number);
      return quotaAt(time, before + used, await networks.left(client, number));
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
    async today(client: Client): Promise<ClientDay> {
      const time = now();
      const number = Math.floor(time / dayMs);
      const { name, earlier } = namesOf(client, number);
      return { time, number, name, before: earlier === undefined ? 0 : await ledger.readFree(earlier, number) };
    },
    noteSpent(client: Client, time: number): FreeQuota {
      const quota = quotaAt(time, perDay);
      spent.set(client, quota);
      return quota;
    },
  };
}

/** null: the budget of all is used up; the client keeps its calls. */
async function takeFromBudget(
  options: FreeCallsOptions,
  days: ReturnType<typeof openDays>,
  client: Client,
): ReturnType<typeof takeCall> {
  const { budget } = options;
  if (budget === undefined) return takeCall(options, days, client);
  if (!budget.take()) return { quota: days.quotaAt((await days.today(client)).time, options.perDay), call: null };
  const { quota, call } = await takeCall(options, days, client);
  if (call === null) {
    budget.giveBack();
    return { quota, call };
  }
  const giveBack = () => {
    budget.giveBack();
    return call.giveBack();
  };
  return { quota, call: { charge: call.charge, giveBack } };
}

async function takeCall(
  { ledger, perDay, now }: FreeCallsOptions,
  { networks, spent, today, noteSpent, quotaAt }: ReturnType<typeof openDays>,
  client: Client,
): Promise<{ quota: FreeQuota; call: FreeCall | null }> {
  const { time, number, name, before } = await today(client);
  const taken = await ledger.takeFree(name, number, perDay - before);
  const wider = taken && (await networks.take(client, number));
  if (taken === null || wider === null) {
    await taken?.giveBack();
    return { quota: noteSpent(client, time), call: null };
  }
  const charge = () => {
    taken.charge();
    wider.charge();
  };
  const giveBack = async () => {
    spent.delete(client);
    await wider.giveBack();
    const used = await taken.giveBack();
    return quotaAt(now(), before + (used ?? taken.count - 1), wider.left + 1);
  };
  return { quota: quotaAt(time, before + taken.count, wider.left), call: { charge, giveBack } };
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
