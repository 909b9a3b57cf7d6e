import { crowdEnv, runCrowd } from "../crowd/crowd.ts";
import { judge } from "../crowd/verdict.ts";
import { sleep } from "../world/progress.ts";
import type { Random } from "../world/random.ts";
import { atMost, exactly, info, type Report } from "../world/table.ts";
import type { Shop, World } from "../world/world.ts";

/** Trouble that happens while clients buy. The promise resolves when the trouble is over. */
export interface Outage {
  title: string;
  shop: Shop;
  random: Random;
  happen: () => Promise<void>;
  /** Milliseconds that /healthz may take at most. Without it, the time is only reported. */
  healthMs?: number;
}

/** How many calls may stay uncounted after an outage, because nobody knows whether their commit succeeded. */
const uncertainMax = 30;

export { crowdEnv };

/** A few clients buy before, during and after an outage. Then the ledger is compared with the chain. Closes the shop. */
export async function survive(world: World, outage: Outage): Promise<Report> {
  const { title, shop, random, happen, healthMs } = outage;
  let after = 0;
  const run = await runCrowd(world, shop, {
    ...{ seed: random.below(1_000_000), customers: 3, holders: 2 },
    async trouble(crowd) {
      await sleep(1_500);
      await happen();
      crowd.interruptions = uncertainMax;
      // Connections may be tried anew after some seconds only.
      await sleep(6_000);
      const before = crowd.replies.length;
      await sleep(2_000);
      after = crowd.replies.slice(before).filter((reply) => reply === "200").length;
    },
  });
  const rows = await judge(world, run);
  await shop.close();
  const works = exactly("sells again eight seconds after it is over", after > 0 ? "yes" : "no", "yes");
  const [what, found] = ["longest wait for /healthz, ms", run.longestHealthMs] as const;
  const health = healthMs === undefined ? info(what, found) : atMost(what, found, healthMs);
  return { title, rows: [works, ...rows, health] };
}
