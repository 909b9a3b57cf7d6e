import { send } from "../world/buyer.ts";
import { controlPostgres, type PostgresControl } from "../world/postgres-control.ts";
import { sleep, waitUntil } from "../world/progress.ts";
import type { Random } from "../world/random.ts";
import { recordedHashes } from "../world/recorded-node.ts";
import { exactly, type Report } from "../world/table.ts";
import { startWire } from "../world/wire.ts";
import type { Part, World } from "../world/world.ts";
import { crowdEnv, survive } from "./survive.ts";

/** What may happen to a database server. */
export const postgresOutages: Readonly<Record<string, Part>> = {
  "postgres-stop": lose("PostgreSQL is stopped for 3 s", async (control) => {
    await control.stop();
    await sleep(3_000);
    await control.start();
  }),
  "postgres-kill": lose("PostgreSQL is killed (-9) with all its processes", async (control) => {
    await control.killAll();
    await sleep(2_000);
    await control.start();
  }),
  "postgres-failover": lose("PostgreSQL fails over: all connections end, 15 times", async (control) => {
    for (let turn = 0; turn < 15; turn++) {
      await control.terminateBackends();
      await sleep(200);
    }
  }),
  "postgres-read-only": lose("PostgreSQL takes no writes for 3 s", async (control) => {
    await control.setReadOnly(true);
    await control.terminateBackends();
    await sleep(3_000);
    await control.setReadOnly(false);
    await control.terminateBackends();
  }),
  "postgres-freeze": lose("PostgreSQL stands still for 8 s", async (control) => {
    control.freeze();
    await sleep(8_000);
    control.thaw();
  }),
  "postgres-slow": slowDown,
  "postgres-away": startWithout,
};

function lose(title: string, happen: (control: PostgresControl) => Promise<void>): Part {
  return async (world, random) => {
    const shop = await world.startShop({ ledger: "postgres", replicas: 2, env: crowdEnv });
    const control = await controlPostgres(await world.postgres(), shop.place);
    return survive(world, { title, shop, random, happen: () => happen(control) });
  };
}

/** Every message takes 400 ms; in the end the line is cut. */
async function slowDown(world: World, random: Random): Promise<Report> {
  const shop = await world.openShop({ ledger: "postgres", replicas: 2, env: crowdEnv });
  const target = new URL(shop.place);
  const wire = await startWire(Number(target.port));
  target.port = String(wire.port);
  for (const { replica } of shop.stands) {
    replica.env.DATABASE_URL = target.href;
    await replica.start();
  }
  const report = await survive(world, {
    ...{ title: "the line to PostgreSQL takes 400 ms for 8 s, then it is cut", shop, random },
    async happen() {
      wire.delayMs = 400;
      await sleep(8_000);
      wire.delayMs = 0;
      wire.cut();
    },
  });
  wire.close();
  return report;
}

/** The service starts while its database is down. It must wait, and sell as soon as the database is up. */
async function startWithout(world: World): Promise<Report> {
  const shop = await world.openShop({ ledger: "postgres", replicas: 1, env: crowdEnv });
  const { replica } = shop.stands[0]!;
  const server = await world.postgres();
  await server.stop();
  replica.launch();
  await sleep(4_000);
  const waits = replica.isRunning();
  await server.restart();
  const asks = async () => (await send(replica.url, { product: "explain", hash: recordedHashes[0]! })).status === 402;
  const sells = waits && (await waitUntil(asks, 20_000, 500));
  await shop.close();
  return {
    title: "start while PostgreSQL is away",
    rows: [
      exactly("the process waits", waits ? "yes" : "no", "yes"),
      exactly("it sells when the database is there", sells ? "yes" : "no", "yes"),
    ],
  };
}
