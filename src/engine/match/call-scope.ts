import type { Address } from "../../kernel/address.ts";
import type { ActorCall, AssetChange, BalanceChanges } from "../../model/match.ts";
import type { Log, Movement, Transaction } from "../../model/transaction.ts";
import { balanceChanges } from "../normalize/balance-changes.ts";
import { frameEnd } from "../unwrap/call-tree.ts";

/** Balance changes that one call alone made, and the movements outside. */
export interface CallScope {
  flow: BalanceChanges;
  outside: Pick<ReadonlySet<number>, "has">;
  /** Smallest log index of the call's movements. */
  first: number;
}

/** More calls are not separated: each would search all movements. */
const callsMax = 100;

/** Needs a call tree. A call is separated only if no other changed the balance of its assets. */
export class CallScopes {
  readonly #tx: Transaction;
  readonly #account: Address;
  readonly #whole: BalanceChanges;
  readonly #calls: readonly ActorCall[];
  readonly #ends: number[] = [];
  /** By frame: the innermost call around it. */
  #holders: Map<number, ActorCall | undefined> | undefined;
  /** By id of the call. */
  readonly #known: (CallScope | null)[] = [];

  /** `calls`: innermost, of the account. */
  constructor(tx: Transaction, calls: readonly ActorCall[], whole: BalanceChanges) {
    this.#tx = tx;
    this.#account = whole.account;
    this.#whole = whole;
    const isOwn = ({ from, to }: Movement) => from === whole.account || to === whole.account;
    const isParted =
      tx.traced &&
      calls.length > 1 &&
      calls.length <= callsMax &&
      tx.movements.every((move) => move.call >= 0 || !isOwn(move));
    this.#calls = isParted ? calls : [];
  }

  /** Of the call, or that of the log; null: not separable. */
  of(call: ActorCall | null, log: Log | null): CallScope | null {
    if (this.#calls.length === 0) return null;
    const found = call === null ? log && this.#holderOf(log.call) : this.#calls.find((one) => one === call);
    if (found === undefined || found === null) return null;
    let scope = this.#known[found.id];
    if (scope === undefined) {
      scope = this.#cutOut(found);
      this.#known[found.id] = scope;
    }
    return scope;
  }

  #holderOf(frame: number): ActorCall | undefined {
    this.#holders ??= new Map();
    if (!this.#holders.has(frame))
      this.#holders.set(
        frame,
        this.#calls.find((one) => this.#holds(one, frame)),
      );
    return this.#holders.get(frame);
  }

  #cutOut(call: ActorCall): CallScope | null {
    const { movements } = this.#tx;
    const outside = { has: (index: number) => !this.#holds(call, movements[index]?.call ?? -1) };
    const flow = balanceChanges(this.#tx, this.#account, outside);
    const { gives, gets } = this.#whole;
    const moves = flow.gives.length + flow.gets.length > 0;
    const parts = moves && isPart(flow.gives, gives) && isPart(flow.gets, gets);
    const isAll = flow.gives.length === gives.length && flow.gets.length === gets.length;
    return parts && !isAll ? { flow, outside, first: this.#firstLog(outside) } : null;
  }

  #firstLog(outside: CallScope["outside"]): number {
    let first = Number.POSITIVE_INFINITY;
    for (const { index, log } of this.#tx.movements) if (log >= 0 && log < first && !outside.has(index)) first = log;
    return first;
  }

  /** Frames are in pre-order. */
  #holds({ frame }: ActorCall, index: number): boolean {
    return frame >= 0 && index >= frame && index < this.#endOf(frame);
  }

  #endOf(frame: number): number {
    this.#ends[frame] ??= frameEnd(this.#tx.calls, frame);
    return this.#ends[frame];
  }
}

function isPart(assets: readonly AssetChange[], whole: readonly AssetChange[]): boolean {
  return assets.every(({ key, amount }) => whole.some((asset) => asset.key === key && asset.amount === amount));
}
