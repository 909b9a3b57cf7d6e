import type { Address } from "../../kernel/address.ts";
import { addTo } from "../../kernel/lists.ts";
import type { ActorCall } from "../../model/match.ts";
import type { Call, Transaction } from "../../model/transaction.ts";

/** The frames of a call tree, by caller and target. Each frame is handed out once. */
export class FrameIndex {
  readonly #tx: Transaction;
  /** Made when the first frame is asked for, since most transactions hold no inner calls. */
  #frames: Map<string, Call[]> | undefined;
  /** The same frames by input, the first one at the end of each list; made for each pair of parties when needed. */
  #byInput: Map<string, Map<string, Call[]>> | undefined;

  constructor(tx: Transaction) {
    this.#tx = tx;
  }

  /**
   * Finds the frame of a call and takes it out; undefined: none is left. It may be called by the account itself, by the batch contract, by
   * the target itself (multicall), or with the signer's address behind the calldata (ERC-2771 forwarders).
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
