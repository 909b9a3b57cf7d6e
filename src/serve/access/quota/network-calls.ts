import { andThen, type MaybePromise } from "../../../kernel/maybe-promise.ts";
import type { Ledger } from "../ledger/ledger.ts";
import { type Client, networksOf } from "./client-address.ts";

/** One of each network. */
export interface NetworkCalls {
  /** Of the scarcest network. */
  left: number;
  charge(): void;
  giveBack(): MaybePromise<unknown>;
}

export interface NetworkCallsOptions {
  ledger: Ledger;
  /** Of one client. */
  perDay: number;
  /** In the ledger. */
  nameOf(client: Client, day: number): string;
}

/** IPv6: one customer often has a whole /56 or /48, 256 or 65,536 clients. A network has several times what a client has. */
export function createNetworkCalls({ ledger, perDay, nameOf }: NetworkCallsOptions) {
  const networks = (client: Client) =>
    networksOf(client).map(({ name, bits }) => ({ name, most: perDay * networkTimes[bits] }));

  return {
    /** Infinity: in none. */
    left(client: Client, day: number): MaybePromise<number> {
      return networks(client).reduce<MaybePromise<number>>(
        (least, { name, most }) =>
          andThen(least, (before) =>
            andThen(ledger.readFree(nameOf(name, day), day), (used) => Math.min(before, Math.max(0, most - used))),
          ),
        Number.POSITIVE_INFINITY,
      );
    },
    /** null: one has none left, nothing is held. */
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

const networkTimes = { 56: 4, 48: 8 } as const;
