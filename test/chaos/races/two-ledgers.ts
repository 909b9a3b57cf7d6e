import type { Wish } from "../world/buyer.ts";
import type { Random } from "../world/random.ts";
import { recordedHashes } from "../world/recorded-node.ts";
import { exactly, info, type Report } from "../world/table.ts";
import type { World } from "../world/world.ts";
import { answered, describeReplies, shootAll, signNew } from "./attempts.ts";

const rounds = 12;

/** Two instances have separate ledgers and are paid at the same address. One payment must buy at only one of them. */
export async function raceTwoLedgers(world: World, random: Random): Promise<Report> {
  const first = await world.startShop({ ledger: "sqlite", replicas: 1 });
  const second = await world.startShop({ ledger: "sqlite", replicas: 1, payTo: first.payTo });
  const urls = [first, second].map((shop) => shop.stands[0]!.replica.url);
  const replies = [];
  let soldTwice = 0;
  for (let round = 0; round < rounds; round++) {
    const wish: Wish =
      round % 2 === 0 ? { product: "explain", hash: random.pick(recordedHashes) } : { product: "pass" };
    const payment = await signNew(world, first, wish);
    // In half of the rounds both get the payment at once, in the others the second gets it after the first has sold.
    const gap = round % 4 < 2 ? 0 : 600;
    const told = await shootAll(urls.map((url, nth) => ({ url, wish, payment, afterMs: nth * gap })));
    const again = await shootAll(urls.map((url) => ({ url, wish, payment })));
    const sellers = urls.filter((_url, nth) => answered([told[nth]!, again[nth]!]).length > 0);
    if (sellers.length > 1) soldTwice++;
    replies.push(...told, ...again);
  }
  await Promise.all([first.close(), second.close()]);
  return {
    title: "one payment at two instances with one address and two ledgers",
    rows: [
      info("payments", rounds),
      describeReplies("replies", replies),
      exactly("payments that bought at both", soldTwice, 0),
    ],
  };
}
