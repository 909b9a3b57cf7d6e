import { ServiceError } from "../../../../kernel/error.ts";
import { andThen, type MaybePromise } from "../../../../kernel/maybe-promise.ts";
import { statement, type Write } from "../database.ts";
import type { PassRow } from "../rows.ts";
import {
  type CallAccount,
  type CallCounts,
  type CallCountsOptions,
  collectMs,
  retryMs,
  type TakenCall,
} from "./taken-call.ts";

interface Tally {
  account: CallAccount;
  /** In the database; undefined: read again. */
  written: number | undefined;
  /** If it is one. */
  pass: PassRow | undefined;
  held: number;
  /** Answered, not in the database yet. */
  charged: number;
}

/**
 * SQLite, one process. Held calls are in memory: free again after a crash. Charges are written at the end of the turn, after its answers;
 * those of the next milliseconds together, as a transaction costs as much as several answers. While they cannot be written, no call is
 * taken. A second process sees charges some milliseconds late, held calls not at all.
 */
export class ProcessCalls implements CallCounts {
  readonly #options: CallCountsOptions;
  readonly #passes = new Map<string, Tally>();
  /** By day, then client: a joint key would be hashed for each call. */
  readonly #days = new Map<number, Map<string, Tally>>();
  /** Unwritten charges. */
  readonly #charged = new Set<Tally>();
  /** To forget what was read, or to write again. */
  #timer: NodeJS.Timeout | undefined;
  /** At the end of the turn, its answers sent. */
  #soon: NodeJS.Immediate | undefined;
  /** New charges wait for the timer. */
  #resting = false;
  /** Waits for the file's lock. */
  #writing: Promise<void> | undefined;
  #failure: unknown;

  constructor(options: CallCountsOptions) {
    this.#options = options;
  }

  readFree(client: string, day: number): MaybePromise<number> {
    return andThen(this.#tallyOfClient(client, day), usedOf);
  }

  findPass(id: string): MaybePromise<PassRow | undefined> {
    return andThen(this.#tallyOfPass(id), (tally) => tally?.pass && { ...tally.pass, used: usedOf(tally) });
  }

  forgetPass(id: string): void {
    const known = this.#passes.get(id);
    if (known !== undefined) known.written = undefined;
  }

  takeFree(client: string, day: number, cap: number): MaybePromise<TakenCall | null> {
    this.check();
    return andThen(this.#tallyOfClient(client, day), (tally) => {
      const used = usedOf(tally);
      return used < cap ? this.#hold(tally, used + 1, () => this.readFree(client, day)) : null;
    });
  }

  takePassCall(id: string, now: number): MaybePromise<TakenCall | null> {
    this.check();
    return andThen(this.#tallyOfPass(id), (tally) => {
      if (tally?.pass === undefined || tally.pass.expiresAt <= now) return null;
      const left = tally.pass.callCap - usedOf(tally);
      return left > 0 ? this.#hold(tally, left - 1, () => this.#remainingOf(id)) : null;
    });
  }

  async watch(): Promise<number> {
    return 0;
  }

  check(): void {
    if (this.#failure !== undefined) throw new ServiceError("ledger_unavailable", undefined, { cause: this.#failure });
  }

  close(): MaybePromise<void> {
    return andThen(this.#writing, () => andThen(this.#write(), () => this.#stop()));
  }

  #stop(): void {
    clearTimeout(this.#timer);
    clearImmediate(this.#soon);
    this.#timer = undefined;
    this.#soon = undefined;
  }

  #remainingOf(id: string): MaybePromise<number> {
    return andThen(this.findPass(id), (pass) => (pass ? pass.callCap - pass.used : 0));
  }

  #tallyOfClient(client: string, day: number): MaybePromise<Tally> {
    const known = this.#days.get(day)?.get(client);
    if (known?.written !== undefined) return known;
    return andThen(this.#options.readUsed(client, day), (written) => {
      const clients = this.#days.get(day) ?? new Map<string, Tally>();
      const tally = this.#note(clients.get(client), { kind: "free", client, day }, written);
      this.#days.set(day, clients.set(client, tally));
      return tally;
    });
  }

  #tallyOfPass(id: string): MaybePromise<Tally | undefined> {
    const known = this.#passes.get(id);
    if (known?.written !== undefined) return known;
    return andThen(this.#options.readPass(id), (pass) => {
      if (pass === undefined) return undefined;
      const tally = this.#note(this.#passes.get(id), { kind: "pass", id }, pass.used);
      tally.pass = pass;
      this.#passes.set(id, tally);
      return tally;
    });
  }

  /** Until the next write. */
  #note(known: Tally | undefined, account: CallAccount, written: number): Tally {
    this.#schedule();
    if (known === undefined) return { account, written, pass: undefined, held: 0, charged: 0 };
    known.written = written;
    return known;
  }

  #schedule(ms = collectMs): void {
    this.#timer ??= setTimeout(() => this.#tick(), ms);
  }

  #hold(tally: Tally, count: number, read: () => MaybePromise<number>): TakenCall {
    tally.held++;
    let open = true;
    const end = () => {
      if (open) tally.held--;
      open = false;
    };
    return {
      count,
      charge: () => {
        if (open) this.#charge(tally);
        end();
      },
      giveBack() {
        end();
        try {
          const now = read();
          return now instanceof Promise ? now.catch(() => null) : now;
        } catch {
          return null;
        }
      },
    };
  }

  #charge(tally: Tally): void {
    tally.charged++;
    this.#charged.add(tally);
    // After a failure and after a write, the timer is set, and nothing is written before it fires.
    if (this.#failure === undefined && !this.#resting) this.#soon ??= setImmediate(() => void this.#write());
  }

  #tick(): void {
    this.#timer = undefined;
    this.#resting = false;
    this.#forget();
    void this.#write();
  }

  /** One transaction; none while another waits for the lock. */
  #write(): MaybePromise<void> {
    clearImmediate(this.#soon);
    this.#soon = undefined;
    if (this.#writing !== undefined || this.#charged.size === 0) return;
    const batch = [...this.#charged].map((tally) => [tally, tally.charged] as const);
    const written = () => {
      this.#writing = undefined;
      this.#failure = undefined;
      this.#resting = true;
      for (const [tally, calls] of batch) {
        tally.charged -= calls;
        if (tally.written !== undefined) tally.written += calls;
        if (tally.charged === 0) this.#charged.delete(tally);
      }
      this.#schedule();
    };
    const failed = (cause: unknown) => {
      this.#writing = undefined;
      this.#failure = cause;
      this.#schedule(retryMs);
    };
    try {
      const writes = batch.map(([{ account }, calls]) => toWrite(account, calls));
      const done = this.#options.database.inOneTransaction(writes);
      if (!(done instanceof Promise)) return written();
      this.#writing = done.then(written, failed);
      return this.#writing;
    } catch (cause) {
      failed(cause);
    }
  }

  /** Accounts without calls are removed. */
  #forget(): void {
    for (const tallies of [this.#passes, ...this.#days.values()]) {
      for (const [key, tally] of tallies) {
        tally.written = undefined;
        if (tally.charged === 0 && tally.held === 0) tallies.delete(key);
      }
    }
    for (const [day, clients] of this.#days) if (clients.size === 0) this.#days.delete(day);
  }
}

function usedOf({ written = 0, held, charged }: Tally): number {
  return written + held + charged;
}

function toWrite(account: CallAccount, calls: number): Write {
  return account.kind === "free"
    ? { statement: statement("chargeFree"), values: [account.client, account.day, calls] }
    : { statement: statement("chargePass"), values: [calls, account.id] };
}
