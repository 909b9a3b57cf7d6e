import { compareBooks, countReverted, readChain } from "../world/books.ts";
import { atMost, exactly, info, type Row, tally } from "../world/table.ts";
import type { Shop, World } from "../world/world.ts";
import type { CrowdRun } from "./crowd.ts";
import type { Attempt, Order } from "./customer.ts";
import { countGaps } from "./pass-holder.ts";

/** Compares what the clients got with what the chain took and the ledger holds. */
export async function judge(world: World, run: CrowdRun): Promise<Row[]> {
  const { shop, orders, replies } = run;
  const open = (await shop.ledger.payments()).filter(({ state }) => state !== "settled" && state !== "failed");
  const deaths = shop.stands.flatMap(({ replica }) => replica.deaths);
  return [
    exactly("processes that ended by themselves", deaths.length, 0),
    ...(deaths.length > 0 ? [info("  how", tally(deaths))] : []),
    info("orders", tally(orders.map(({ wish, via }) => `${wish.product} over ${via}`))),
    info("payments signed", orders.flatMap(({ attempts }) => attempts).length),
    info("replies", tally(replies)),
    ...(await judgeOrders(world, shop, orders)),
    ...(await compareBooks(world.chain, shop.payTo, shop.ledger)),
    exactly("rows that stay open when no payment can be taken any more", open.length, 0),
    ...(await judgePasses(run)),
    info("transactions that failed on chain", await countReverted(world.chain)),
  ];
}

/** What each client got for what the chain took from him. */
export async function judgeOrders(world: World, { payTo }: Shop, orders: readonly Order[]): Promise<Row[]> {
  const { used } = await readChain(world.chain, payTo);
  const isTaken = ({ payment }: Attempt) => used.has(payment.nonce.toLowerCase());
  const count = (is: (order: Order, taken: number) => boolean) =>
    orders.filter((order) => is(order, order.attempts.filter(isTaken).length)).length;
  const lied = orders.flatMap(({ attempts }) => attempts).filter((one) => one.refusals.length > 0 && isTaken(one));
  return [
    info(
      "paid and delivered",
      count(({ answers }, taken) => answers.size > 0 && taken > 0),
    ),
    exactly(
      "orders without an answer in the end",
      count(({ answers }) => answers.size === 0),
      0,
    ),
    exactly(
      "paid and never delivered",
      count(({ answers }, taken) => answers.size === 0 && taken > 0),
      0,
    ),
    exactly(
      "delivered without payment",
      count(({ answers }, taken) => answers.size > 0 && taken === 0),
      0,
    ),
    exactly(
      "paid more than once",
      count((_order, taken) => taken > 1),
      0,
    ),
    exactly("told 402 though the money was taken", lied.length, 0),
    ...(lied.length > 0 ? [info("  why", tally(lied.flatMap(({ refusals }) => refusals)))] : []),
    exactly(
      "another answer when asked again",
      count(({ answers }) => answers.size > 1),
      0,
    ),
    exactly(
      "answers to somebody else's request",
      count(({ foreign }) => foreign > 0),
      0,
    ),
  ];
}

async function judgePasses(run: CrowdRun): Promise<Row[]> {
  const gaps = await countGaps(run);
  const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
  return [
    exactly("passes that were paid for and do not work", run.deadPasses, 0),
    info("calls with a pass that were answered", sum(run.holders.map((holder) => holder.answered))),
    exactly("calls of passes that are lost", sum(gaps.filter((gap) => gap > 0)), 0),
    // An answer that was sent at the moment of a kill may be missing in the count. That is in the client's favour.
    atMost("calls that were answered and not counted", -sum(gaps.filter((gap) => gap < 0)), run.interruptions),
  ];
}
