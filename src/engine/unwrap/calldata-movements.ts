import { zeroAddress } from "../../kernel/address.ts";
import type { ActorCall } from "../../model/match.ts";
import type { Movement, Transaction } from "../../model/transaction.ts";
import type { CompiledUnwrapper, UnwrapContext } from "../../rules/ruleset/compiled-unwrapper.ts";

export interface CarriedCall {
  call: ActorCall;
  outer: ActorCall;
  unwrapper: CompiledUnwrapper;
  context: UnwrapContext;
}

/**
 * Ran as the calldata says: each wrapper proves it by its event or would have reverted. One that anybody can write needs the event, except
 * the acting account itself: its ether is its own affair.
 */
export class CertainCalls {
  /** By id of the call. */
  readonly #certain: boolean[] = [];
  /** By contract: the event does not say which call it is about. */
  #unjoined: Map<string, Set<number>> | undefined;
  #restsOn: Map<number, string> | undefined;

  constructor(root: ActorCall) {
    this.#certain[root.id] = root.state === "executed";
  }

  add({ call, outer, unwrapper, context }: CarriedCall): void {
    if (unwrapper.proof !== null && unwrapper.proof.join.length === 0) {
      const key = `${unwrapper.proof.event.hash}${outer.to}`;
      this.#restsOn ??= new Map();
      this.#restsOn.set(call.id, key);
      this.#unjoined ??= new Map();
      this.#unjoined.set(key, (this.#unjoined.get(key) ?? new Set()).add(outer.id));
    }
    // Runs as the called contract; in a delegatecall, as the caller.
    const runsAs = outer.delegate ? outer.from : outer.to;
    if (call.state === "failed" || call.from !== runsAs) return;
    const shown = unwrapper.proof !== null;
    const known = unwrapper.gate.kind !== "any" || (!outer.delegate && outer.to === outer.actor);
    if (shown || (known && unwrapper.bubbles?.(context) === true)) this.#certain[call.id] = true;
  }

  /** With each call around it; needs all calls. */
  has(call: ActorCall, calls: readonly ActorCall[]): boolean {
    for (let at: ActorCall | undefined = call; at !== undefined; at = at.parent < 0 ? undefined : calls[at.parent]) {
      const key = this.#restsOn?.get(at.id);
      if (!this.#certain[at.id] || (key !== undefined && (this.#unjoined?.get(key)?.size ?? 0) > 1)) return false;
    }
    return true;
  }
}

/**
 * Only where neither a call tree nor a list shows ether. Returned ether stays unseen: not complete. Not to the zero address, which in a
 * batch may be the account itself (ERC-7821).
 */
export function calldataMovements(tx: Transaction, calls: readonly ActorCall[], certain: CertainCalls): Movement[] {
  if (tx.nativeComplete || tx.status !== "success") return [];
  const found: Movement[] = [];
  for (const call of calls.slice(1)) {
    const { from, to, value, delegate, state } = call;
    if (value === 0n || delegate || state !== "asserted" || to === null || to === zeroAddress || to === from) continue;
    if (certain.has(call, calls)) found.push(movementOf(from, to, value, tx.movements.length + found.length));
  }
  return found;
}

function movementOf(from: Movement["from"], to: Movement["to"], amount: bigint, index: number): Movement {
  const native = { standard: "native" as const, token: null, tokenId: null, amount };
  return { index, ...native, from, to, log: -1, call: -1, fee: false, basis: "calldata" };
}
