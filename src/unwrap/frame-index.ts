import type { Address } from "../kernel/address.ts";
import type { ActorCall } from "../model/match.ts";
import type { Call, Transaction } from "../model/transaction.ts";

/** Standing and failed frames of a call tree by caller, target and calldata; each is found once. */
export class FrameIndex {
  readonly #frames: Map<string, Call[]> = new Map();

  constructor({ traced, calls }: Transaction) {
    if (!traced) return;
    for (const call of calls.slice(1)) {
      const key = `${call.from}${call.to}${call.input}`;
      const list = this.#frames.get(key);
      if (list === undefined) this.#frames.set(key, [call]);
      else list.push(call);
    }
  }

  /**
   * Takes the frame that carried a call: as it is; from the batch contract that was called and not delegated to; as the
   * contract's call of itself (multicall); or with the signer's address behind the calldata (ERC-2771 forwarders).
   */
  take({ from, to, input, actor }: ActorCall, batch: Address): Call | undefined {
    const keys = [
      `${from}${to}${input}`,
      `${batch}${to}${input}`,
      `${to}${to}${input}`,
      `${from}${to}${input}${actor.slice(2)}`,
    ];
    return keys
      .map((key) => this.#frames.get(key))
      .find((list) => list !== undefined && list.length > 0)
      ?.shift();
  }
}
