import type { Wish } from "../world/buyer.ts";
import type { Random } from "../world/random.ts";
import { recordedHashes } from "../world/recorded-node.ts";
import { exactly, type Report } from "../world/table.ts";
import type { World } from "../world/world.ts";
import { answered, describeReplies, raceSetups, shootAll, signNew } from "./attempts.ts";

const rounds = 10;

/** One payment is sent for two transactions at the same moment. It must buy only one of them. */
export async function* raceTwoWishes(world: World, random: Random): AsyncIterable<Report> {
  for (const setup of raceSetups) {
    const shop = await world.startShop(setup);
    const urls = [shop.stands[0]!, shop.stands.at(-1)!].map(({ replica }) => replica.url);
    const replies = [];
    let foreign = 0;
    let bothSold = 0;
    for (let round = 0; round < rounds; round++) {
      const start = random.below(recordedHashes.length - 1);
      const wishes = [0, 1].map((nth) => ({ product: "explain", hash: recordedHashes[start + nth]! }) satisfies Wish);
      const payment = await signNew(world, shop, wishes[0]!);
      const told = await shootAll(wishes.map((wish, nth) => ({ url: urls[nth]!, wish, payment })));
      foreign += told.filter(({ status, body }, nth) => status === 200 && body.tx_hash !== wishes[nth]!.hash).length;
      if (answered(told).length > 1) bothSold++;
      replies.push(...told);
    }
    await shop.close();
    yield {
      title: `one payment for two transactions at once, ${setup.ledger}, ${rounds} times`,
      rows: [
        describeReplies("replies", replies),
        exactly("answers to the other request", foreign, 0),
        exactly("payments that bought both", bothSold, 0),
      ],
    };
  }
}
