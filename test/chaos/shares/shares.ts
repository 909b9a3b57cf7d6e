import { Agent } from "node:http";
import { type LargeNode, startLargeNode } from "../../support/large-node.ts";
import { sleep, waitUntil } from "../world/progress.ts";
import type { Replica } from "../world/replica.ts";
import { atMost, exactly, info, type Report, type Row, tally } from "../world/table.ts";
import type { World } from "../world/world.ts";
import { explain, type Heard, p95, send, watch } from "./clients.ts";

const victims = 5;
/** Milliseconds between two requests that the attacker sends one after the other. */
const refusedPauseMs = 500;
const rounds = 30;

interface Stage {
  replica: Replica;
  node: LargeNode;
  /** Hashes of small transactions that nobody has asked for. */
  small: string[];
}

/** What the victims met. */
interface Met {
  ms: number[];
  statuses: string[];
}

/** One client asks for transactions of 10,000 logs, 24 at a time. */
export async function* attackByLargeCases(world: World): AsyncIterable<Report> {
  yield* withStage(world, "one client with 24 transactions of 10,000 logs at a time", async (stage) => {
    const large = await stage.node.make(10_000, 400);
    return () => explain(stage.replica, large.pop() ?? "", "203.0.113.1");
  });
}

/** One client asks for transactions that no endpoint answers, 320 at a time. */
export async function* attackByPlaces(world: World): AsyncIterable<Report> {
  yield* withStage(
    world,
    "one client with 320 gatherings that hang",
    async ({ node, replica }) => {
      const hanging = await node.make(500, 2_000);
      node.hangsFrom = 500;
      return () => explain(replica, hanging.pop() ?? "", "203.0.113.1");
    },
    320,
  );
}

/** One address keeps as many idle connections as it can, each with a request now and then. */
export async function attackByConnections(world: World): Promise<Report> {
  const { replica, node, small, close } = await openStage(world);
  const alone = await ask({ replica, node, small }, "alone");
  const stop = watch(replica);
  const agent = new Agent({ keepAlive: true, maxSockets: 5_000, maxFreeSockets: 5_000 });
  const attacker = { port: replica.port, path: "/robots.txt", agent, localAddress: "127.0.0.9" };
  const held: Heard[] = [];
  for (let nth = 0; nth < 4_000; nth += 100)
    held.push(...(await Promise.all(Array.from({ length: 100 }, () => send(attacker)))));
  let on = true;
  const keeping = (async () => {
    for (; on; await sleep(1_000)) held.push(...(await Promise.all(Array.from({ length: 200 }, () => send(attacker)))));
  })();
  const met = await ask({ replica, node, small }, "attacked");
  const ready = await send({ port: replica.port, path: "/readyz", localAddress: "127.0.0.8" });
  on = false;
  await keeping;
  agent.destroy();
  const rows = judge({ alone, met, seen: await stop() });
  await close();
  return {
    title: "one address with 4,000 kept connections",
    rows: [
      ...rows,
      info("answers to the attacker", tally(held.map(({ status }) => String(status)))),
      exactly("/readyz", ready.status, 200),
    ],
  };
}

async function* withStage(
  world: World,
  title: string,
  prepare: (stage: Stage) => Promise<() => Promise<Heard>>,
  atOnce = 24,
): AsyncIterable<Report> {
  const stage = await openStage(world);
  const alone = await ask(stage, "alone");
  const attack = await prepare(stage);
  const stop = watch(stage.replica);
  const attacked: Heard[] = [];
  let on = true;
  const attackers = Array.from({ length: atOnce }, async () => {
    while (on) {
      attacked.push(await attack());
      await sleep(refusedPauseMs);
    }
  });
  await waitUntil(() => attacked.length > 0, 20_000);
  const met = await ask(stage, "attacked");
  const ready = await send({ port: stage.replica.port, path: "/readyz" });
  const caller = await explain(stage.replica, stage.small.pop() ?? "", "198.51.100.250");
  on = false;
  const seen = await stop();
  await stage.close();
  await Promise.all(attackers);
  const rows = judge({ alone, met, seen });
  const told = info("answers to the attacker", tally(attacked.map(({ status }) => String(status))));
  yield {
    title,
    rows: [...rows, told, exactly("/readyz, and a new caller", `${ready.status} ${caller.status}`, "200 200")],
  };
}

/** A shop that charges, with fifty free calls for each client. Its heap is what Node.js takes in a container of 1 GB. */
async function openStage(world: World): Promise<Stage & { close(): Promise<void> }> {
  const node = await startLargeNode();
  const env = {
    ...{ RPC_URLS: node.url, TRUST_PROXY: "127.0.0.1", FREE_CALLS_PER_DAY: "50", RATE_LIMIT_PER_MINUTE: "120" },
    NODE_OPTIONS: "--max-old-space-size=512",
  };
  const shop = await world.startShop({ ledger: "sqlite", replicas: 1, env });
  const { replica } = shop.stands[0]!;
  const small = await node.make(20, 2 * victims * rounds + 20);
  // The first answers load and compile what the others use.
  for (let nth = 0; nth < 10; nth++) await explain(replica, small.pop() ?? "", "198.51.100.200");
  return {
    ...{ replica, node, small },
    async close() {
      await shop.close();
      node.close();
    },
  };
}

/** Some clients ask for small transactions, one after the other. */
async function ask({ replica, small }: Stage, name: "alone" | "attacked"): Promise<Met> {
  const met: Met = { ms: [], statuses: [] };
  const client = (nth: number) => `198.51.${name === "alone" ? 101 : 102}.${nth}`;
  await Promise.all(
    Array.from({ length: victims }, async (_, nth) => {
      for (let round = 0; round < rounds; round++) {
        const { status, ms } = await explain(replica, small.pop() ?? "", client(nth));
        met.ms.push(ms);
        met.statuses.push(String(status));
        await sleep(300);
      }
    }),
  );
  return met;
}

function judge({ alone, met, seen }: { alone: Met; met: Met; seen: { healthMs: number; rss: number } }): Row[] {
  const [before, during] = [p95(alone.ms), p95(met.ms)];
  return [
    info("p95 of small transactions alone, ms", before),
    atMost("p95 of them under the attack, ms", during, 3 * before),
    exactly("their answers", tally(met.statuses), `${victims * rounds} × 200`),
    atMost("p95 of /healthz, ms", seen.healthMs, 200),
    atMost("most memory, MiB", seen.rss, 1_024),
  ];
}
