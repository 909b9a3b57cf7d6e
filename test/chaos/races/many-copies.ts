import { isDeepStrictEqual } from "node:util";
import type { Wish } from "../world/buyer.ts";
import type { Random } from "../world/random.ts";
import { recordedHashes } from "../world/recorded-node.ts";
import { exactly, type Report } from "../world/table.ts";
import type { World } from "../world/world.ts";
import {
  answered,
  describeReplies,
  judgePayments,
  raceSetups,
  sendUntilAnswered,
  shootAll,
  signNew,
  spread,
} from "./attempts.ts";

const copies = 50;

/** A pass that is given again has another token. */
const withoutToken = ({ pass_token: _token, ...body }: Record<string, unknown> = {}) => body;

/** One payment arrives fifty times within one block, over HTTP and MCP and at all replicas. */
export async function* raceManyCopies(world: World, random: Random): AsyncIterable<Report> {
  for (const setup of raceSetups) {
    const shop = await world.startShop(setup);
    const wishes: Wish[] = [{ product: "explain", hash: random.pick(recordedHashes) }, { product: "pass" }];
    const payments = [];
    for (const wish of wishes) {
      const payment = await signNew(world, shop, wish);
      await world.setBlockTime(2);
      const shots = spread(shop, copies, (index) => ({ wish, payment, afterMs: index < 4 ? 0 : random.below(2_500) }));
      const replies = await shootAll(shots);
      replies.push(...(await sendUntilAnswered(shots[0]!)));
      await world.setBlockTime(0);
      payments.push({ nonce: payment.nonce, replies });
    }
    const different = payments.filter(({ replies }) => {
      const [first, ...rest] = answered(replies);
      return rest.some(({ body }) => !isDeepStrictEqual(withoutToken(body), withoutToken(first?.body)));
    });
    const rows = await judgePayments(world, shop, payments);
    await shop.close();
    yield {
      title: `one payment ${copies} times, ${setup.ledger}, ${setup.replicas} replica(s)`,
      rows: [
        describeReplies(
          "replies",
          payments.flatMap(({ replies }) => replies),
        ),
        ...rows,
        exactly("payments that brought different answers", different.length, 0),
      ],
    };
  }
}
