import { send } from "../world/buyer.ts";
import { sleep } from "../world/progress.ts";
import { recordedHashes, unknownHash } from "../world/recorded-node.ts";
import type { Shop } from "../world/world.ts";
import { fulfil, type Market, type Order, repeat } from "./customer.ts";

/** Somebody who uses up a pass, call by call. */
export interface PassHolder {
  order: Order;
  /** The public part of the token, which the ledger knows. */
  id: string;
  /** Answers with 200. Everything else must not cost a call. */
  answered: number;
  sent: number;
}

const idOf = (token: string) => token.split("_")[1] as string;

/** Buys a pass and uses it until the run is over. Some requests name transactions that do not exist, and some clients hang up. */
export async function holdPass(order: Order, market: Market, isOver: () => boolean): Promise<PassHolder | undefined> {
  const { random, urls } = market;
  await fulfil(order, market, Date.now() + 120_000);
  // Two replicas may have answered at once, and only the token that was made last is good.
  if (order.token !== undefined) await repeat(order, market);
  const passToken = order.token;
  if (passToken === undefined) return undefined;
  const holder: PassHolder = { order, id: idOf(passToken), answered: 0, sent: 0 };
  while (!isOver()) {
    const hash = random.chance(0.2) ? unknownHash() : random.pick(recordedHashes);
    const via = random.chance(0.3) ? "mcp" : "http";
    const reply = await send(random.pick(urls), { product: "explain", hash }, { via, passToken });
    holder.sent++;
    if (reply.status === 200) holder.answered++;
    await sleep(reply.status === 0 ? 100 : 15);
  }
  return holder;
}

/**
 * For each pass: the calls that the ledger counted minus the answers that the client got. More than 0 means that calls are lost. A pass
 * that was never used is used once at the end.
 */
export async function countGaps({ shop, orders, holders }: Passes): Promise<number[]> {
  const used = new Map((await shop.ledger.passes()).map((pass) => [pass.id, pass.used]));
  const answered = new Map(holders.map((holder) => [holder.id, holder.answered]));
  const ids = orders.flatMap((order) => order.token ?? []).map(idOf);
  return ids.map((id) => (used.get(id) ?? 0) - (answered.get(id) ?? 1));
}

interface Passes {
  shop: Shop;
  orders: readonly Order[];
  holders: readonly PassHolder[];
}
