import type { TakenCall } from "../ledger/calls/taken-call.ts";
import type { Ledger } from "../ledger/ledger.ts";
import { type Client, networksOf } from "./client-address.ts";

/** One of each network. */
export interface NetworkCalls {
  /** Of the scarcest network. */
  left: number;
  charge(): void;
  giveBack(): Promise<unknown>;
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
    async left(client: Client, day: number): Promise<number> {
      let least = Number.POSITIVE_INFINITY;
      for (const { name, most } of networks(client))
        least = Math.min(least, Math.max(0, most - (await ledger.readFree(nameOf(name, day), day))));
      return least;
    },
    /** null: one has none left, nothing is held. */
    async take(client: Client, day: number): Promise<NetworkCalls | null> {
      const held: TakenCall[] = [];
      let left = Number.POSITIVE_INFINITY;
      const giveBack = async () => {
        for (const call of held) await call.giveBack();
      };
      for (const { name, most } of networks(client)) {
        const taken = await ledger.takeFree(nameOf(name, day), day, most);
        if (taken === null) {
          await giveBack();
          return null;
        }
        held.push(taken);
        left = Math.min(left, most - taken.count);
      }
      const charge = () => {
        for (const call of held) call.charge();
      };
      return { left, charge, giveBack };
    },
  };
}

const networkTimes = { 56: 4, 48: 8 } as const;
