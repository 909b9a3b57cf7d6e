import type { Address } from "../kernel/address.ts";
import type { ActorCall, AssetChange, BalanceChanges } from "../model/match.ts";
import type { Log, Transaction } from "../model/transaction.ts";
import { balanceChanges } from "../normalize/balance-changes.ts";

/** What one call of several exchanged: its flow, and the movements that are not part of it. */
export interface CallScope {
  flow: BalanceChanges;
  outside: ReadonlySet<number>;
  /** Its first log of a movement. */
  first: number;
}

/**
 * Parts an account's flow by its calls, where a call tree shows which call moved what. Only an exchange that the whole flow shows
 * as well: an asset that another call gives or brings back is no matter of one call alone.
 */
export class CallScopes {
  readonly #tx: Transaction;
  readonly #account: Address;
  readonly #whole: BalanceChanges;
  readonly #calls: readonly ActorCall[];
  readonly #ends: number[] = [];
  /** By the id of the call. */
  readonly #known: (CallScope | null)[] = [];

  /** `calls`: the innermost calls of the account. */
  constructor(tx: Transaction, calls: readonly ActorCall[], whole: BalanceChanges) {
    this.#tx = tx;
    this.#account = whole.account;
    this.#whole = whole;
    const own = tx.movements.filter(({ from, to }) => from === whole.account || to === whole.account);
    this.#calls = tx.traced && calls.length > 1 && own.every((move) => move.call >= 0) ? calls : [];
  }

  /** The scope of the call itself, or of the one in which the log was written; null when it cannot be told apart. */
  of(call: ActorCall | null, log: Log | null): CallScope | null {
    if (this.#calls.length === 0) return null;
    const found = this.#calls.find((one) =>
      call === null ? log !== null && this.#holds(one, log.call) : one === call,
    );
    if (found === undefined) return null;
    let scope = this.#known[found.id];
    if (scope === undefined) {
      scope = this.#cutOut(found);
      this.#known[found.id] = scope;
    }
    return scope;
  }

  #cutOut(call: ActorCall): CallScope | null {
    const outside = new Set(this.#tx.movements.flatMap((move) => (this.#holds(call, move.call) ? [] : move.index)));
    const flow = balanceChanges(this.#tx, this.#account, outside);
    const { gives, gets } = this.#whole;
    const exchanges = flow.gives.length > 0 && flow.gets.length > 0;
    const parts = exchanges && isPart(flow.gives, gives) && isPart(flow.gets, gets);
    const isAll = flow.gives.length === gives.length && flow.gets.length === gets.length;
    const logs = this.#tx.movements.flatMap(({ index, log }) => (outside.has(index) || log < 0 ? [] : log));
    return parts && !isAll ? { flow, outside, first: Math.min(...logs) } : null;
  }

  /** Whether a frame is the call's own or was called from it. Frames stand in pre-order. */
  #holds({ frame }: ActorCall, index: number): boolean {
    return frame >= 0 && index >= frame && index < this.#endOf(frame);
  }

  #endOf(frame: number): number {
    let end = this.#ends[frame];
    if (end === undefined) {
      const { calls } = this.#tx;
      const depth = calls[frame]?.depth ?? 0;
      end = calls.findIndex((call) => call.index > frame && call.depth <= depth);
      if (end < 0) end = calls.length;
      this.#ends[frame] = end;
    }
    return end;
  }
}

function isPart(assets: readonly AssetChange[], whole: readonly AssetChange[]): boolean {
  return assets.every(({ key, amount }) => whole.some((asset) => asset.key === key && asset.amount === amount));
}
