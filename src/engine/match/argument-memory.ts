import type { ActorCall } from "../../model/match.ts";
import type { Log } from "../../model/transaction.ts";
import type { Value } from "../../rules/abi/abi-type.ts";
import type { EventItem, FunctionItem } from "../../rules/abi/signature.ts";

type Arguments = readonly Value[] | undefined;

/** Of one transaction: many rules ask for the same arguments. Events and functions of one layout share a reader. */
export class ArgumentMemory {
  #calls: Map<FunctionItem["read"], Map<number, Arguments>> | undefined;
  /** Logs come one after the other: the last is enough. */
  #read: EventItem["read"] | undefined;
  #log: Log | undefined;
  #args: Arguments;

  ofLog({ read }: EventItem, log: Log): Arguments {
    if (this.#read === read && this.#log === log) return this.#args;
    this.#read = read;
    this.#log = log;
    this.#args = read(log.topics, log.data);
    return this.#args;
  }

  ofCall({ read }: FunctionItem, call: ActorCall): Arguments {
    this.#calls ??= new Map();
    let known = this.#calls.get(read);
    if (known === undefined) {
      known = new Map();
      this.#calls.set(read, known);
    }
    if (!known.has(call.id)) known.set(call.id, read(call.input));
    return known.get(call.id);
  }
}
