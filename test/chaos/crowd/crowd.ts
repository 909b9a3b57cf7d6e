import { send, type Wish } from "../world/buyer.ts";
import { sleep, waitUntil } from "../world/progress.ts";
import { createRandom, type Random } from "../world/random.ts";
import { recordedHashes } from "../world/recorded-node.ts";
import type { Shop, World } from "../world/world.ts";
import { fulfil, type Market, newOrder, type Order, repeat } from "./customer.ts";
import { countGaps, holdPass, type PassHolder } from "./pass-holder.ts";

/** Everything that happened to the clients of a shop. */
export interface CrowdRun {
  shop: Shop;
  orders: Order[];
  holders: PassHolder[];
  /** What every reply was. */
  replies: string[];
  /** How often a process may have been killed while it answered. Scenarios that kill processes increase this number. */
  interruptions: number;
  /** Passes that got no answer when they were used at the end. */
  deadPasses: number;
  longestHealthMs: number;
}

export interface CrowdOptions {
  seed: number;
  /** Clients that buy one thing after the other. */
  customers: number;
  /** Clients that use up a pass. */
  holders: number;
  /** The trouble that the shop gets. The clients stop buying when it is over. */
  trouble: (run: CrowdRun, random: Random) => Promise<void>;
  /** How many milliseconds a client that has paid keeps asking for its answer. */
  patienceMs?: number;
}

/** What shops of crowds need: passes that nobody uses up. */
export const crowdEnv = { PASS_CALLS: "1000000" };

/**
 * Honest clients buy while there is trouble. Afterwards every client asks until it has its answer, and time goes on until the chain can
 * take no payment any more.
 */
export async function runCrowd(world: World, shop: Shop, options: CrowdOptions): Promise<CrowdRun> {
  const random = createRandom(options.seed);
  const urls = shop.stands.map(({ replica }) => replica.url);
  const counts = { interruptions: 0, deadPasses: 0, longestHealthMs: 0 };
  const run: CrowdRun = { shop, orders: [], holders: [], replies: [], ...counts };
  const market = (): Market => ({ urls, random: random.fork(), replies: run.replies });
  const { customers, holders, trouble, patienceMs = 100_000 } = options;
  const accounts = await world.createPayers(customers + holders);
  let over = false;

  const shopping = accounts.slice(0, customers).map(async (account) => {
    const mine = market();
    while (!over) {
      const order = newOrder(wishFor(mine.random), mine.random.chance(0.3) ? "mcp" : "http", account);
      run.orders.push(order);
      await fulfil(order, mine, Date.now() + patienceMs);
    }
  });
  const holding = accounts.slice(customers).map(async (account) => {
    const order = newOrder({ product: "pass" }, "http", account);
    run.orders.push(order);
    const holder = await holdPass(order, market(), () => over);
    if (holder !== undefined) run.holders.push(holder);
  });
  const watching = watchHealth(run, () => over);
  await trouble(run, random.fork()).finally(() => {
    over = true;
  });
  await Promise.all([...shopping, ...holding, watching]);
  await comeToRest(world, run, market());
  return run;
}

function wishFor(random: Random): Wish {
  return random.chance(0.25) ? { product: "pass" } : { product: "explain", hash: random.pick(recordedHashes) };
}

/** Measures how long the process lets /healthz wait. No answer within ten seconds counts as ten seconds. */
async function watchHealth(run: CrowdRun, isOver: () => boolean): Promise<void> {
  const watch = async (url: string) => {
    while (!isOver()) {
      const asked = Date.now();
      await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(10_000) })
        .then((response) => response.arrayBuffer())
        .catch(() => {});
      run.longestHealthMs = Math.max(run.longestHealthMs, Date.now() - asked);
      await sleep(200);
    }
  };
  await Promise.all(run.shop.stands.map(({ replica }) => watch(replica.url)));
}

/** Every client fetches what it is owed, fetches once more what was delivered, and uses every pass. Then open payments expire. */
async function comeToRest(world: World, run: CrowdRun, market: Market): Promise<void> {
  const { orders, shop } = run;
  // An authorization that nobody could send ends by the time of the chain, so blocks must come also where nobody sends anything.
  await world.setBlockTime(1);
  const deadline = Date.now() + owedMs;
  await inTurn(orders.filter(isOpen), (order) => fulfil(order, market, deadline));
  await world.setBlockTime(0);
  const delivered = orders.filter((order) => !isOpen(order));
  await inTurn(delivered, (order) => repeat(order, market));
  const held = new Set(run.holders.map(({ order }) => order));
  const unused = orders.filter((order) => !held.has(order) && order.token !== undefined);
  await inTurn(unused, async (order) => {
    const wish: Wish = { product: "explain", hash: market.random.pick(recordedHashes) };
    const reply = await send(market.random.pick(market.urls), wish, { passToken: order.token });
    if (reply.status !== 200) run.deadPasses++;
  });
  await world.chain.control.increaseTime({ seconds: 3_600 });
  await world.chain.control.mine({ blocks: 2 });
  for (const { replica } of shop.stands) await replica.kill();
  await Promise.all(shop.stands.map(({ replica }) => replica.start()));
  const isClosed = async () => (await shop.ledger.payments()).every(({ state }) => closedStates.has(state));
  const isGivenBack = async () => (await countGaps(run)).every((gap) => gap <= 0);
  await waitUntil(async () => (await isClosed()) && (await isGivenBack()), restMs, 500);
}

/** Milliseconds within which every client gets what it is owed: as long as a new authorization is valid, and some time to end it. */
const owedMs = 200_000;
/** Milliseconds within which everything that a crash left open must be closed and given back. */
const restMs = 60_000;
const closedStates = new Set(["settled", "failed"]);
const isOpen = ({ answers }: Order) => answers.size === 0;

/** A few at a time. */
async function inTurn<T>(list: readonly T[], work: (item: T) => Promise<unknown>): Promise<void> {
  const rest = list.values();
  const workers = Array.from({ length: 16 }, async () => {
    for (const item of rest) await work(item);
  });
  await Promise.all(workers);
}
