import { randomUUID } from "node:crypto";
import { ServiceError } from "../../../../kernel/error.ts";
import type { MaybePromise } from "../../../../kernel/maybe-promise.ts";
import { type Cell, type LedgerDatabase, type Row, statement } from "../database.ts";
import { isOutage } from "../postgres.ts";
import type { PassRow } from "../rows.ts";
import { createInstanceWatch, type InstanceWatch } from "./instance-watch.ts";
import {
  type CallAccount,
  type CallCounts,
  type CallCountsOptions,
  collectMs,
  retryMs,
  type TakenCall,
} from "./taken-call.ts";

/** A call of this instance. `tried`: its charge may be in the database already, because a connection broke while it was written. */
interface HeldCall {
  number: number;
  account: CallAccount;
  tried?: true;
}

/**
 * The calls of a ledger that several instances share (Postgres). Each taken call has a row with the name of its instance, written together
 * with the count. Charging deletes the rows of some milliseconds in one statement, after the answers were sent. Calls of a dead instance
 * are given back by the others, or by itself when it runs again. The same happens to calls in the database of which their living instance
 * does not know: the answer to a statement may get lost, or a statement may arrive late.
 */
export class SharedCalls implements CallCounts {
  readonly #options: CallCountsOptions;
  readonly #instance = randomUUID();
  readonly #watch: InstanceWatch;
  #last = 0;
  /** How many looks in a row have failed. */
  #failedLooks = 0;
  /** Numbers of calls that are taken by this instance, or may be at this moment. */
  readonly #known = new Set<number>();
  #charged: HeldCall[] = [];
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(options: CallCountsOptions) {
    this.#options = options;
    this.#watch = createInstanceWatch(options.database, this.#instance);
  }

  readFree(client: string, day: number): MaybePromise<number> {
    return this.#options.readUsed(client, day);
  }

  findPass(id: string): MaybePromise<PassRow | undefined> {
    return this.#options.readPass(id);
  }

  /** Every look reads the database. */
  forgetPass(): void {}

  async takeFree(client: string, day: number, cap: number): Promise<TakenCall | null> {
    if (cap <= 0) return null;
    const [number, row] = await this.#take("takeFree", client, day, cap);
    if (row === undefined) return null;
    const account = { kind: "free", client, day } as const;
    return this.#toTaken({ number, account }, Number(row.used), () => this.readFree(client, day));
  }

  async chargeFree(client: string, day: number, cap: number): Promise<number | null> {
    const taken = await this.takeFree(client, day, cap);
    taken?.charge();
    return taken?.count ?? null;
  }

  async takePassCall(id: string, now: number): Promise<TakenCall | null> {
    const [number, row] = await this.#take("takePassCall", id, now);
    if (row === undefined) return null;
    const call = { number, account: { kind: "pass", id } } as const;
    return this.#toTaken(call, Number(row.remaining), async () => {
      const pass = await this.findPass(id);
      return pass === undefined ? 0 : pass.callCap - pass.used;
    });
  }

  async watch(): Promise<number> {
    try {
      const calls = (await this.#watch.look()) + (await this.#giveBackUnknown());
      this.#failedLooks = 0;
      return calls;
    } catch (cause) {
      this.#failedLooks++;
      throw cause;
    }
  }

  /**
   * Fails after several failed looks. Looks write, so they also detect a server that is read-only or whose disk is full, and that answers
   * everything else.
   */
  check(): void {
    if (this.#failedLooks >= failedLooksMax) throw new ServiceError("ledger_unavailable");
  }

  async close(): Promise<void> {
    // It stays set, so that no other is started.
    clearTimeout(this.#timer);
    await this.#writeNext();
    await this.#watch.leave();
  }

  /** Takes a call under a new number. Where the connection breaks, tries again at once with another number. */
  async #take(name: string, ...values: Cell[]): Promise<[number, Row | undefined]> {
    for (let tries = 1; ; tries++) {
      const number = ++this.#last;
      this.#known.add(number);
      try {
        const row = await this.#options.database.first(statement(name), ...values, this.#instance, number);
        if (row === undefined) this.#known.delete(number);
        return [number, row];
      } catch (cause) {
        this.#known.delete(number);
        if (tries === triesMax || !isOutage((cause as Error).cause)) throw cause;
      }
    }
  }

  #toTaken(call: HeldCall, count: number, read: () => MaybePromise<number>): TakenCall {
    let open = true;
    return {
      count,
      charge: () => {
        if (open) this.#charged.push(call);
        open = false;
        this.#schedule(collectMs);
      },
      giveBack: async () => {
        try {
          if (open) await this.#giveBack([call.number]);
          return await read();
        } catch {
          return null;
        } finally {
          if (open) this.#known.delete(call.number);
          open = false;
        }
      },
    };
  }

  #schedule(ms: number): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.#writeNext();
    }, ms);
  }

  /** Writes one after the other, because leaving gives back calls whose charges are not written yet. */
  #writeNext(): Promise<void> {
    this.#writing = this.#writing.then(() => this.#write());
    return this.#writing;
  }

  /** Writes what is charged. Never rejects. */
  async #write(): Promise<void> {
    const calls = this.#charged;
    this.#charged = [];
    try {
      await chargeAll(this.#options.database, this.#instance, calls);
      for (const { number } of calls) this.#known.delete(number);
    } catch {
      this.#charged = [...calls.map((call) => ({ ...call, tried: true as const })), ...this.#charged];
      this.#schedule(retryMs);
    }
  }

  /** Gives back calls that the database holds for this instance and that are not known here. Returns how many. */
  async #giveBackUnknown(): Promise<number> {
    const rows = await this.#options.database.all(statement("listHeld"), this.#instance);
    return this.#giveBack(rows.map(({ number }) => Number(number)).filter((number) => !this.#known.has(number)));
  }

  async #giveBack(numbers: readonly number[]): Promise<number> {
    if (numbers.length === 0) return 0;
    const row = await this.#options.database.first(statement("giveBackCalls"), this.#instance, toArray(numbers));
    return Number(row?.calls ?? 0);
  }
}

/** How many looks in a row must fail before it counts as an outage. They come once a second. */
const failedLooksMax = 3;
/** How many attempts a call has when connections break. */
const triesMax = 3;

/**
 * Charges held calls. A call that is not held any more was given back because this instance had seemed dead: it is counted again, unless an
 * earlier attempt to charge it may have deleted its row.
 */
async function chargeAll(database: LedgerDatabase, instance: string, calls: readonly HeldCall[]): Promise<void> {
  if (calls.length === 0) return;
  const numbers = calls.map(({ number }) => number);
  const rows = await database.all(statement("chargeHeld"), instance, toArray(numbers));
  const held = new Set(rows.map(({ number }) => number));
  for (const { number, account, tried } of calls) {
    if (held.has(number) || tried) continue;
    if (account.kind === "free") await database.first(statement("chargeFree"), account.client, account.day, 1);
    else await database.first(statement("chargePass"), 1, account.id);
  }
}

/** An array as Postgres reads it from text. */
function toArray(numbers: readonly number[]): string {
  return `{${numbers.join(",")}}`;
}
