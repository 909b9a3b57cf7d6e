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

/** `tried`: the charge may be written, as a connection broke meanwhile. */
interface HeldCall {
  number: number;
  account: CallAccount;
  tried?: true;
}

/**
 * Postgres, several instances. A taken call is a row with its instance, written with the count; charging deletes the rows of some
 * milliseconds at once, after the answers. Calls of a dead instance are given back by others, or by itself later; so are rows that their
 * living instance does not know: answers get lost, statements come late.
 */
export class SharedCalls implements CallCounts {
  readonly #options: CallCountsOptions;
  readonly #instance = randomUUID();
  readonly #watch: InstanceWatch;
  #last = 0;
  /** In a row. */
  #failedLooks = 0;
  /** Taken here, or perhaps at this moment. */
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

  /** After failed looks: they write, so they notice a read-only server or a full disk. */
  check(): void {
    if (this.#failedLooks >= failedLooksMax) throw new ServiceError("ledger_unavailable");
  }

  async close(): Promise<void> {
    // It stays set, so that no other is started.
    clearTimeout(this.#timer);
    await this.#writeNext();
    await this.#watch.leave();
  }

  /** A broken connection is tried again under another number. */
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

  /** In turn: leaving gives back what is not written. */
  #writeNext(): Promise<void> {
    this.#writing = this.#writing.then(() => this.#write());
    return this.#writing;
  }

  /** Never rejects. */
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

  /** Held for this instance by the database alone. Returns how many. */
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

/** In a row, one a second: an outage. */
const failedLooksMax = 3;
const triesMax = 3;

/**
 * What is no longer held was given back, as this instance seemed dead: counted again, unless an earlier attempt may have deleted its row.
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

function toArray(numbers: readonly number[]): string {
  return `{${numbers.join(",")}}`;
}
