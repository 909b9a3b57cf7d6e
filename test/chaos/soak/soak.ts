import { crowdEnv } from "../crowd/crowd.ts";
import { fulfil, newOrder } from "../crowd/customer.ts";
import { judgeOrders } from "../crowd/verdict.ts";
import { compareBooks } from "../world/books.ts";
import { sleep, startProgress } from "../world/progress.ts";
import type { Random } from "../world/random.ts";
import { atMost, exactly, info, type Report, type Row, tally } from "../world/table.ts";
import type { Shop, Stand, World } from "../world/world.ts";
import { type Soak, soakClients } from "./load.ts";

export interface SoakOptions {
  minutes: number;
  random: Random;
}

/** What a replica held at one moment. */
interface Sample {
  memory: number;
  files: number;
}

/** Mixed load on two replicas for a long time. Memory and sockets must stay where they are. */
export async function soakShop(world: World, { minutes, random }: SoakOptions): Promise<Report> {
  // The cache holds only a part of the recorded transactions, so some answers are remembered and some are made again.
  const env = { ...crowdEnv, CACHE_BYTES: "300000" };
  const shop = await world.startShop({ ledger: "postgres", replicas: 2, env });
  const run = await startLoad(world, { shop, random });
  const samples = shop.stands.map((): Sample[] => []);
  const started = Date.now();
  const stop = startProgress("soak", () => ({
    ...{ done: Date.now() - started, of: minutes * 60_000 },
    text: `${run.soak.replies.length} replies, ${run.soak.orders.length} payments, ${describeNow(shop)}`,
  }));
  const everyMs = Math.min(2_000, minutes * 1_000);
  while (Date.now() - started < minutes * 60_000) {
    await sleep(everyMs);
    for (const [nth, { replica }] of shop.stands.entries())
      samples[nth]!.push({ memory: replica.memory(), files: replica.files() });
  }
  await run.end();
  stop();
  await world.setBlockTime(0);
  const report = {
    title: `mixed load for ${minutes} minutes, two replicas`,
    rows: [
      info("replies", tally(run.soak.replies)),
      ...shop.stands.flatMap((stand, nth) => judgeStand(stand, samples[nth]!, nth + 1)),
      ...(await judgeOrders(world, shop, run.soak.orders)),
      ...(await compareBooks(world.chain, shop.payTo, shop.ledger)),
    ],
  };
  await shop.close();
  return report;
}

/** Starts every client. `end` resolves when all of them are done. */
async function startLoad(world: World, { shop, random }: { shop: Shop; random: Random }) {
  const urls = shop.stands.map(({ replica }) => replica.url);
  const number = soakClients.reduce((sum, kind) => sum + kind.number, 0);
  const [owner, ...accounts] = await world.createPayers(number + 1, 100_000_000_000n);
  const market = { urls, random, replies: [] as string[] };
  const pass = newOrder({ product: "pass" }, "http", owner!);
  await fulfil(pass, market, Date.now() + 30_000);
  await world.setBlockTime(2);
  let over = false;
  const soak: Soak = { ...market, passToken: pass.token ?? "", orders: [] };
  const loops = soakClients
    .flatMap((kind) => Array.from({ length: kind.number }, () => kind))
    .map(async ({ client, waitMs }, nth) => {
      const mine = { ...soak, random: random.fork() };
      while (!over) {
        await client(mine, accounts[nth]!);
        await sleep(mine.random.below(2 * waitMs));
      }
    });
  return {
    soak,
    async end(): Promise<void> {
      over = true;
      await Promise.all(loops);
    },
  };
}

/** Compares the last third of the time with the second. The first third is for warming up. */
function judgeStand({ replica }: Stand, samples: readonly Sample[], number: number): Row[] {
  const third = Math.floor(samples.length / 3);
  const mean = (part: readonly Sample[], key: keyof Sample) =>
    part.reduce((sum, sample) => sum + sample[key], 0) / Math.max(1, part.length);
  const [second, last] = [samples.slice(third, 2 * third), samples.slice(2 * third)];
  const [memory, memoryBefore] = [mean(last, "memory"), mean(second, "memory")];
  const [files, filesBefore] = [mean(last, "files"), mean(second, "files")];
  const unhandled = replica.log().split("\n").filter(isUnhandled);
  return [
    info(
      `replica ${number}: memory, MiB (first, second, last third)`,
      [samples.slice(0, third), second, last].map((part) => Math.round(mean(part, "memory"))).join(", "),
    ),
    atMost(`replica ${number}: memory, last third ÷ second`, Number((memory / memoryBefore).toFixed(3)), 1.1),
    info(`replica ${number}: open files (second, last third)`, `${Math.round(filesBefore)}, ${Math.round(files)}`),
    atMost(`replica ${number}: open files, last third − second`, Math.round(files - filesBefore), 10),
    exactly(`replica ${number}: ended by itself`, replica.deaths.length, 0),
    exactly(`replica ${number}: unhandled errors in its log`, unhandled.length, 0),
    ...(unhandled.length > 0 ? [info("  such as", unhandled[0]!.slice(0, 300))] : []),
  ];
}

/** A line that is no JSON comes from node itself. */
function isUnhandled(line: string): boolean {
  return line.includes('"event":"internal"') || /^\s*(?:\w*Error\b|Uncaught|\(node:)/.test(line);
}

function describeNow({ stands }: Shop): string {
  return stands.map(({ replica }) => `${replica.memory()} MiB and ${replica.files()} files`).join(", ");
}
