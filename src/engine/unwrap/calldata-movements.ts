import { zeroAddress } from "../../kernel/address.ts";
import type { ActorCall } from "../../model/match.ts";
import type { Movement, Transaction } from "../../model/transaction.ts";
import type { CompiledUnwrapper, UnwrapContext } from "../../rules/ruleset/compiled-unwrapper.ts";

/** An inner call with the wrapper that carried it. */
export interface CarriedCall {
  call: ActorCall;
  outer: ActorCall;
  unwrapper: CompiledUnwrapper;
  context: UnwrapContext;
}

/**
 * Finds calls that ran exactly as the calldata says: each wrapper around them proves it by its own event, or would have reverted as a
 * whole. A wrapper that anybody can write (no address is required) needs such an event, except where it is the acting account itself: what
 * its code does with its own ether is its own affair.
 */
export class CertainCalls {
  /** By the id of the call. */
  readonly #certain: boolean[] = [];
  /** By contract: wrappers whose only proof is an event that does not say which of several calls it is about. */
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
    // Code runs as the contract that was called; in a delegatecall, as the caller.
    const runsAs = outer.delegate ? outer.from : outer.to;
    if (call.state === "failed" || call.from !== runsAs) return;
    const shown = unwrapper.proof !== null;
    const known = unwrapper.gate.kind !== "any" || (!outer.delegate && outer.to === outer.actor);
    if (shown || (known && unwrapper.bubbles?.(context) === true)) this.#certain[call.id] = true;
  }

  /** True when the call, and each around it, is certain; asked when all calls are known. */
  has(call: ActorCall, calls: readonly ActorCall[]): boolean {
    for (let at: ActorCall | undefined = call; at !== undefined; at = at.parent < 0 ? undefined : calls[at.parent]) {
      const key = this.#restsOn?.get(at.id);
      if (!this.#certain[at.id] || (key !== undefined && (this.#unjoined?.get(key)?.size ?? 0) > 1)) return false;
    }
    return true;
  }
}

/**
 * Ether that certain calls carried, as further movements. Only where neither a call tree nor an explorer's list shows ether. Ether that a
 * call sent back stays unseen, so the transaction's ether does not become complete. Calls to the zero address are left out: in a batch it
 * may stand for the account itself (ERC-7821).
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
