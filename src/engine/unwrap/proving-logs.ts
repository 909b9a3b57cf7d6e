import { addTo } from "../../kernel/lists.ts";
import type { Transaction } from "../../model/transaction.ts";
import type { EventItem } from "../../rules/abi/signature.ts";

type Arguments = ReturnType<EventItem["read"]>;

/** Decoded once: several calls may ask for the same proof. */
export class ProvingLogs {
  readonly #tx: Transaction;
  #known: Map<EventItem, ReadonlyMap<unknown, readonly Arguments[]>> | undefined;

  constructor(tx: Transaction) {
    this.#tx = tx;
  }

  /** undefined: not decodable. */
  of(event: EventItem, emitter: unknown): readonly Arguments[] {
    this.#known ??= new Map();
    let said = this.#known.get(event);
    if (said === undefined) {
      said = this.#read(event);
      this.#known.set(event, said);
    }
    return said.get(emitter) ?? [];
  }

  #read(event: EventItem): ReadonlyMap<unknown, readonly Arguments[]> {
    const said = new Map<unknown, Arguments[]>();
    for (const { address, topics, data } of this.#tx.logs) {
      if (topics[0] === event.hash) addTo(said, address, event.read(topics, data));
    }
    return said;
  }
}
