import type { Address } from "../../kernel/address.ts";
import { addTo } from "../../kernel/lists.ts";
import type { ActorCall } from "../../model/match.ts";
import type { Call, Transaction } from "../../model/transaction.ts";

/** By caller and target; each frame is used once. */
export class FrameIndex {
  readonly #tx: Transaction;
  /** Lazy: most transactions hold no inner calls. */
  #frames: Map<string, Call[]> | undefined;
  /** By input, the first at the list's end; lazy. */
  #byInput: Map<string, Map<string, Call[]>> | undefined;

  constructor(tx: Transaction) {
    this.#tx = tx;
  }

  /**
   * Finds the frame and removes it. The caller may be the account, the batch, the target (multicall), or a forwarder that appends the
   * signer to the calldata (ERC-2771).
   */
  take({ from, to, input, actor }: ActorCall, batch: Address): Call | undefined {
    return (
      this.#takeFirst(from, to, input) ??
      this.#takeFirst(batch, to, input) ??
      this.#takeFirst(to, to, input) ??
      this.#takeFirst(from, to, `${input}${actor.slice(2)}`)
    );
  }

  #takeFirst(from: Address | null, to: Address | null, input: string): Call | undefined {
    this.#frames ??= byParties(this.#tx);
    const parties = `${from}${to}`;
    const list = this.#frames.get(parties);
    if (list === undefined) return undefined;
    this.#byInput ??= new Map();
    let inputs = this.#byInput.get(parties);
    if (inputs === undefined) {
      inputs = Map.groupBy(list.toReversed(), (call) => call.input);
      this.#byInput.set(parties, inputs);
    }
    return inputs.get(input)?.pop();
  }
}

function byParties({ traced, calls }: Transaction): Map<string, Call[]> {
  const frames = new Map<string, Call[]>();
  if (!traced) return frames;
  for (const call of calls) {
    if (call.index === 0) continue;
    addTo(frames, `${call.from}${call.to}`, call);
  }
  return frames;
}
