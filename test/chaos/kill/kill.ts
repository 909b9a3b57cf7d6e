import { type CrowdRun, crowdEnv, runCrowd } from "../crowd/crowd.ts";
import { judge } from "../crowd/verdict.ts";
import { sleep, startProgress } from "../world/progress.ts";
import { atLeast, info, type Report, tally } from "../world/table.ts";
import type { LedgerKind, Shop, World } from "../world/world.ts";
import { Killer } from "./killer.ts";

export interface KillOptions {
  ledger: LedgerKind;
  kills: number;
  payments: number;
  seed: number;
  customers: number;
  /** Seconds between blocks. The run has one part for each value. 0: a block for every transaction. */
  blockTimes: readonly number[];
  /** Minutes after which the run ends, whatever was reached. */
  minutes: number;
  /** Milliseconds for which a chosen moment is waited for. */
  armedMs?: number;
  /** Tells how far it is. */
  tells?: boolean;
}

/** Clients buy while replicas are killed (-9) and started again: two on PostgreSQL, one on SQLite. */
export async function runKills(world: World, options: KillOptions): Promise<Report> {
  const { ledger, kills, payments, seed, customers, armedMs = 3_000 } = options;
  const started = Date.now();
  const replicas = ledger === "postgres" ? 2 : 1;
  const shop = await world.startShop({ ledger, replicas, env: crowdEnv });
  const moments: string[] = [];
  const run = await runCrowd(world, shop, {
    ...{ seed, customers, holders: 2 },
    trouble: (crowd, random) =>
      killUntilDone({ world, shop, options, crowd, killer: new Killer({ random, kills: moments, armedMs }) }),
  });
  const seconds = Math.round((Date.now() - started) / 1000);
  const report = {
    title: `kill -9, ${ledger}, ${replicas} replica(s), seed ${seed}, ${seconds} s`,
    rows: [
      atLeast("kills", moments.length, kills),
      info("moments", tally(moments)),
      atLeast("answers that were asked for", run.orders.length, payments),
      ...(await judge(world, run)),
    ],
  };
  await shop.close();
  return report;
}

interface Killing {
  world: World;
  shop: Shop;
  options: KillOptions;
  crowd: CrowdRun;
  killer: Killer;
}

async function killUntilDone({ world, shop, options, crowd, killer }: Killing): Promise<void> {
  const { ledger, kills, payments, blockTimes, minutes, tells = false } = options;
  const end = Date.now() + minutes * 60_000;
  const killShare = () => killer.kills.length / kills;
  const orderShare = () => crowd.orders.length / payments;
  const done = () => Math.min(1, killShare(), orderShare());
  const describe = () => ({
    ...{ done: done(), of: 1 },
    text: `${killer.kills.length} of ${kills} kills, ${crowd.orders.length} of ${payments} payments`,
  });
  const stop = tells ? startProgress(`kill, ${ledger}`, describe) : () => {};
  let blockTime = 0;
  const setBlockTime = async () => {
    const wanted = blockTimes[Math.floor(done() * blockTimes.length)] ?? 0;
    if (wanted === blockTime) return;
    blockTime = wanted;
    await world.setBlockTime(wanted);
  };
  const isOver = () => done() >= 1 || Date.now() > end;
  // Each replica has its own killer, so sometimes no replica is left.
  await Promise.all(
    shop.stands.map(async (stand) => {
      while (!isOver()) {
        await setBlockTime();
        await killer.strike(stand);
        crowd.interruptions = killer.kills.length;
        // The kills are spread over the payments.
        while (!isOver() && killShare() > orderShare()) await sleep(100);
      }
    }),
  ).finally(stop);
}
