import { Agent, request } from "node:http";
import { startPlainProxy } from "../../support/plain-proxy.ts";
import { startBlindProxy } from "../world/blind-proxy.ts";
import { sleep, startProgress, waitUntil } from "../world/progress.ts";
import type { Random } from "../world/random.ts";
import { recordedHashes } from "../world/recorded-node.ts";
import type { Replica } from "../world/replica.ts";
import { atMost, exactly, info, type Report, type Row, tally } from "../world/table.ts";
import type { World } from "../world/world.ts";

const clients = 100;
const restarts = 10;

/**
 * The proxies in front of the replicas. One asks whether they are ready, as docs/operating.md recommends. The other only notices refused
 * connections. It may connect exactly when a replica stops listening; then the system resets the connection.
 */
const proxies = [
  {
    title: "a plain proxy",
    open: startPlainProxy,
    judge: (failed: number): Row => exactly("failed requests", failed, 0),
  },
  {
    title: "a proxy that does not ask for readiness",
    open: startBlindProxy,
    judge: (failed: number, all: number): Row =>
      atMost("failed requests, of 10,000", Math.ceil((failed / all) * 10_000), 10),
  },
] as const;

/** Two replicas are restarted in turn (SIGTERM) behind a proxy. No client may notice. */
export async function* restartInTurn(world: World, random: Random): AsyncIterable<Report> {
  for (const { title, open, judge } of proxies) {
    const { replies, drains, codes } = await restartBehind(world, random, open);
    const failed = replies.filter((reply) => reply !== "200").length;
    yield {
      title: `${restarts} restarts of two replicas behind ${title}, ${clients} clients`,
      rows: [
        info("replies", tally(replies)),
        judge(failed, replies.length),
        atMost("longest drain, ms", Math.max(...drains), 10_000),
        exactly("exit codes that are not 0", codes.filter((code) => code !== 0).length, 0),
      ],
    };
  }
}

async function restartBehind(world: World, random: Random, open: (typeof proxies)[number]["open"]) {
  // Everything is free. The cache holds only a few answers, so most answers have to be made.
  const env = { FREE_CALLS_PER_DAY: "1000000000", CACHE_BYTES: "65536", TRUST_PROXY: "127.0.0.1" };
  const shop = await world.startShop({ ledger: "postgres", replicas: 2, env });
  const replicas = shop.stands.map(({ replica }) => replica);
  const proxy = await open(replicas.map(({ port }) => port));
  await untilAllReady(replicas, proxy);
  const replies: string[] = [];
  const drains: number[] = [];
  const codes: (number | null)[] = [];
  let over = false;
  const load = Array.from({ length: clients }, (_, number) =>
    runClient(proxy.url, number, { random, replies, isOver: () => over }),
  );
  const stop = startProgress("rolling", () => ({
    ...{ done: drains.length, of: restarts },
    text: `${drains.length} of ${restarts} restarts, ${replies.length} requests`,
  }));
  for (let turn = 0; turn < restarts; turn++) {
    const replica = replicas[turn % 2]!;
    await sleep(1_000);
    const asked = Date.now();
    codes.push(await replica.kill("SIGTERM"));
    drains.push(Date.now() - asked);
    await replica.start();
    await untilAllReady(replicas, proxy);
  }
  over = true;
  await Promise.all(load);
  stop();
  proxy.close();
  await shop.close();
  return { replies, drains, codes };
}

/** The next replica is stopped only when all of them are ready, and the proxy knows it. */
async function untilAllReady(replicas: readonly Replica[], proxy: { ready(): readonly number[] }): Promise<void> {
  const isReady = async ({ url }: Replica) => (await fetch(`${url}/readyz`).catch(() => undefined))?.status === 200;
  const areReady = async () => (await Promise.all(replicas.map(isReady))).every(Boolean);
  await waitUntil(async () => proxy.ready().length === replicas.length && (await areReady()), readyMs);
}

const readyMs = 60_000;

interface Client {
  random: Random;
  replies: string[];
  isOver: () => boolean;
}

/** One client with an address of its own: it sends one request after the other over a connection that stays open. */
async function runClient(url: string, number: number, { random, replies, isOver }: Client): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  while (!isOver()) {
    const body = JSON.stringify({ tx_hash: random.pick(recordedHashes) });
    replies.push(await post(`${url}/explain`, { agent, client: `192.0.2.${number}` }, body));
    await sleep(random.below(400));
  }
  agent.destroy();
}

function post(url: string, { agent, client }: { agent: Agent; client: string }, body: string): Promise<string> {
  return new Promise((resolve) => {
    const headers = { "content-type": "application/json", "x-forwarded-for": client };
    const asked = request(url, { method: "POST", agent, headers }, (response) => {
      let told = "";
      response.on("data", (piece) => {
        told += piece;
      });
      // The replica says why by a code, the proxy in plain words.
      response.on("end", () => {
        const why = response.statusCode === 200 ? "" : ` ${/"code":"([a-z_]+)"/.exec(told)?.[1] ?? told}`;
        resolve(`${response.statusCode}${why}`);
      });
      response.on("error", () => resolve("cut off"));
    });
    asked.on("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    asked.end(body);
  });
}
