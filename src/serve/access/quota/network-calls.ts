import { andThen, type MaybePromise } from "../../../kernel/maybe-promise.ts";
import type { Ledger } from "../ledger/ledger.ts";
import { type Client, networksOf } from "./client-address.ts";

/** Free calls of the networks of a client, one of each, held until they are charged or given back. */
export interface NetworkCalls {
  /** How many calls the network with the fewest has left. */
  left: number;
  charge(): void;
  giveBack(): MaybePromise<unknown>;
}

export interface NetworkCallsOptions {
  ledger: Ledger;
  /** Free calls of one client. */
  perDay: number;
  /** The name of a client or network in the ledger, on a day. */
  nameOf(client: Client, day: number): string;
}

/**
 * Counts the free calls of networks of IPv6, beside those of each client: one customer often has a whole /56 or /48, and so 256 or 65,536
 * clients. A network has several times what one client has.
 */
export function createNetworkCalls({ ledger, perDay, nameOf }: NetworkCallsOptions) {
  const networks = (client: Client) =>
    networksOf(client).map(({ name, bits }) => ({ name, most: perDay * networkTimes[bits] }));

  return {
    /** How many calls the networks of a client have left; Infinity where it is in none. */
    left(client: Client, day: number): MaybePromise<number> {
      return networks(client).reduce<MaybePromise<number>>(
        (least, { name, most }) =>
          andThen(least, (before) =>
            andThen(ledger.readFree(nameOf(name, day), day), (used) => Math.min(before, Math.max(0, most - used))),
          ),
        Number.POSITIVE_INFINITY,
      );
    },
    /** Takes a call of each network. null: one of them has none left, and nothing is held. */
    take(client: Client, day: number): MaybePromise<NetworkCalls | null> {
      return networks(client).reduce<MaybePromise<NetworkCalls | null>>(
        (all, { name, most }) =>
          andThen(all, (held) => {
            if (held === null) return null;
            return andThen(ledger.takeFree(nameOf(name, day), day, most), (taken) => {
              if (taken === null) return andThen(held.giveBack(), () => null);
              return {
                left: Math.min(held.left, most - taken.count),
                charge() {
                  held.charge();
                  taken.charge();
                },
                giveBack: () => andThen(held.giveBack(), () => taken.giveBack()),
              };
            });
          }),
        nothingHeld,
      );
    },
  };
}

const nothingHeld: NetworkCalls = { left: Number.POSITIVE_INFINITY, charge() {}, giveBack: () => undefined };

/** So many times what one client has. */
const networkTimes = { 56: 4, 48: 8 } as const;
