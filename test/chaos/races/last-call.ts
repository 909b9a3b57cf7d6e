import type { Random } from "../world/random.ts";
import { recordedHashes, unknownHash } from "../world/recorded-node.ts";
import { exactly, type Report } from "../world/table.ts";
import type { World } from "../world/world.ts";
import { answered, describeReplies, raceSetups, sendUntilAnswered, shootAll, signNew, spread } from "./attempts.ts";

const requests = 200;

/** Many requests want the last free call, or the last call of a pass. A request that finds no transaction must not use it up. */
export async function* raceLastCall(world: World, random: Random): AsyncIterable<Report> {
  for (const setup of raceSetups) {
    const free = await world.startShop({ ...setup, env: { FREE_CALLS_PER_DAY: "1" } });
    yield { title: `the last free call, ${setup.ledger}`, rows: await race(free, random, undefined) };
    await free.close();

    const shop = await world.startShop({ ...setup, env: { PASS_CALLS: "1" } });
    const payment = await signNew(world, shop, { product: "pass" });
    const bought = await sendUntilAnswered({ url: shop.stands[0]!.replica.url, wish: { product: "pass" }, payment });
    const passToken = bought.at(-1)?.body.pass_token as string;
    yield { title: `a pass with one call left, ${setup.ledger}`, rows: await race(shop, random, passToken) };
    await shop.close();
  }
}

async function race(shop: Parameters<typeof spread>[0], random: Random, passToken: string | undefined) {
  const ask = (hash: () => ReturnType<typeof unknownHash>) =>
    shootAll(spread(shop, requests, () => ({ wish: { product: "explain", hash: hash() }, passToken })));
  const missed = await ask(unknownHash);
  const got = await ask(() => random.pick(recordedHashes));
  return [
    describeReplies("replies to requests that find nothing", missed),
    describeReplies("replies", got),
    exactly("answers", answered(got).length, 1),
  ];
}
