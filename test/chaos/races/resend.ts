import type { Wish } from "../world/buyer.ts";
import type { Random } from "../world/random.ts";
import { recordedHashes } from "../world/recorded-node.ts";
import type { Report } from "../world/table.ts";
import type { World } from "../world/world.ts";
import { describeReplies, judgePayments, sendUntilAnswered, shootAll, signNew } from "./attempts.ts";

const rounds = 12;

/** A client that waits for its answer asks the other replica too, half a second after the first. Blocks come every two seconds. */
export async function raceResend(world: World, random: Random): Promise<Report> {
  const shop = await world.startShop({ ledger: "postgres", replicas: 2 });
  const urls = shop.stands.map(({ replica }) => replica.url);
  const wishes = Array.from(
    { length: rounds },
    (_, index): Wish =>
      index % 2 === 0 ? { product: "explain", hash: random.pick(recordedHashes) } : { product: "pass" },
  );
  const signed = [];
  for (const wish of wishes) signed.push({ wish, payment: await signNew(world, shop, wish) });
  await world.setBlockTime(2);
  const payments = await Promise.all(
    signed.map(async ({ wish, payment }, index) => {
      const shots = [0, 500].map((afterMs, nth) => ({ url: urls[(index + nth) % 2]!, wish, payment, afterMs }));
      const first = await shootAll(shots);
      const later = await sendUntilAnswered(shots[0]!);
      return { nonce: payment.nonce, replies: [...first, ...later] };
    }),
  );
  await world.setBlockTime(0);
  const rows = await judgePayments(world, shop, payments);
  const all = payments.flatMap(({ replies }) => replies);
  await shop.close();
  return {
    title: `the same payment to two replicas, 0.5 s apart, ${rounds} times`,
    rows: [describeReplies("replies", all), ...rows],
  };
}
