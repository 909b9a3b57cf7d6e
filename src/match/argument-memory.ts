import type { Value } from "../abi/abi-type.ts";
import type { EventItem, FunctionItem } from "../abi/signature.ts";
import type { ActorCall } from "../model/match.ts";
import type { Log } from "../model/transaction.ts";

type Arguments = readonly Value[] | undefined;

/** Decoded arguments of one transaction's logs and calls: the rules of a file share its ABI items, and ask again and again. */
export class ArgumentMemory {
  readonly #calls: Map<FunctionItem, Map<number, Arguments>> = new Map();
  /** Logs are gone through one by one, so the last answer is all that is asked again. */
  #last: { event: EventItem; log: Log; args: Arguments } | undefined;

  ofLog(event: EventItem, log: Log): Arguments {
    const last = this.#last;
    if (last !== undefined && last.event === event && last.log === log) return last.args;
    const args = event.read(log.topics, log.data);
    this.#last = { event, log, args };
    return args;
  }

  ofCall(item: FunctionItem, call: ActorCall): Arguments {
    let known = this.#calls.get(item);
    if (known === undefined) {
      known = new Map();
      this.#calls.set(item, known);
    }
    if (!known.has(call.id)) known.set(call.id, item.read(call.input));
    return known.get(call.id);
  }
}
