import { watch } from "node:fs";
import { sleep, startProgress, waitUntil } from "../world/progress.ts";
import { createRandom, type Random } from "../world/random.ts";
import { atLeast, exactly, info, type Report } from "../world/table.ts";
import {
  type BulkWorker,
  type BulkWorld,
  checkParts,
  findLeftovers,
  hashRows,
  type Operator,
  openOperator,
} from "./bulk-world.ts";

export interface BulkKillOptions {
  kills: number;
  seed: number;
  workers: number;
  /** Milliseconds between two kills, on average. */
  everyMs: number;
  minutes: number;
}

/** Blocks of one job, and of one plan. */
const size = 5;
const planned = 60;
const firstBlock = 5_000;

/**
 * Kills workers and PostgreSQL at random while blocks are worked on. One of the moments is when a part has got its name but its transaction
 * is still open. Then one worker makes the same blocks without trouble, and both results are compared.
 */
export async function runBulkKills(world: BulkWorld, options: BulkKillOptions): Promise<Report> {
  const random = createRandom(options.seed);
  const [url, dir] = [await world.createDatabase("storm"), world.folder()];
  const operator = await openOperator(url);
  const storm = new Storm(world, { url, dir, operator, random: random.fork(), workers: options.workers });
  let last = firstBlock + planned - 1;
  await operator.plan(firstBlock, last, size);
  storm.begin();
  const stop = startProgress("bulk", () => ({ done: storm.kills, of: options.kills, text: storm.describe() }));
  const deadline = Date.now() + options.minutes * 60_000;
  try {
    while (storm.kills < options.kills && Date.now() < deadline) {
      await sleep(options.everyMs * 2 * random.next());
      await storm.strike();
      const status = await storm.steadily(() => operator.status());
      // Enough to do until the last kill.
      if (status.waiting + status.active <= 3 * options.workers) {
        last += planned;
        await storm.steadily(() => operator.plan(firstBlock, last, size));
      }
      await storm.look();
    }
    const calm = await waitUntil(() => storm.settle(), 180_000, 1_000);
    await storm.end();
    const parts = await operator.parts();
    const status = await operator.status();
    const stormy = await hashRows(dir, parts);
    const peace = await runInPeace(world, last);
    return {
      title: `bulk: ${storm.kills} kills (-9)`,
      rows: [
        info("of workers, at random", storm.struck.worker),
        info("of workers, between file and commit", storm.struck.commit),
        info("parts that got their name and no row", storm.orphans),
        info("of PostgreSQL", storm.struck.postgres),
        info("workers that were thought dead and were not", storm.struck.asleep),
        atLeast("kills", storm.kills, options.kills),
        exactly("it came to its end", calm ? "yes" : "no", "yes"),
        exactly("blocks that are done", status.blocksDone, last - firstBlock + 1),
        exactly("transactions", stormy.rows, peace.rows),
        exactly("hash of all rows, sorted", stormy.hash, peace.hash),
        exactly(
          "wrong for a reader of the manifest at any time",
          [...new Set(storm.wrong)].join("; ") || "nothing",
          "nothing",
        ),
        exactly("files that the manifest does not list", findLeftovers(dir, parts).join(", ") || "none", "none"),
      ],
    };
  } finally {
    stop();
    await storm.end();
    await operator.close();
  }
}

/** The same blocks by one worker that nobody disturbs. */
async function runInPeace(world: BulkWorld, last: number): Promise<{ rows: number; hash: string }> {
  const [url, dir] = [await world.createDatabase("peace"), world.folder()];
  const operator = await openOperator(url);
  try {
    // The blocks are cut into pieces of another size, so that the result cannot depend on the cut.
    await operator.plan(firstBlock, last, 37);
    const worker = world.startWorker({ url, dir });
    const code = await worker.ended;
    if (code !== 0) throw new Error(`the peaceful worker ended with ${code}: ${worker.said()}`);
    return await hashRows(dir, await operator.parts());
  } finally {
    await operator.close();
  }
}

class Storm {
  readonly struck = { worker: 0, commit: 0, postgres: 0, asleep: 0 };
  readonly wrong: string[] = [];
  /** Files that have the name of a part but are not in the manifest, because their worker died before it could list them. */
  orphans = 0;
  readonly #world: BulkWorld;
  readonly #given: { url: string; dir: string; operator: Operator; random: Random; workers: number };
  #workers: BulkWorker[] = [];
  readonly #seen: Set<string> = new Set();
  #ended = false;

  constructor(
    world: BulkWorld,
    given: { url: string; dir: string; operator: Operator; random: Random; workers: number },
  ) {
    this.#world = world;
    this.#given = given;
  }

  get kills(): number {
    return this.struck.worker + this.struck.commit + this.struck.postgres;
  }

  describe(): string {
    return `${this.kills} kills, ${this.#seen.size} parts`;
  }

  begin(): void {
    for (let i = 0; i < this.#given.workers; i++) this.#start();
  }

  #start(): void {
    const worker = this.#world.startWorker(this.#given);
    this.#workers.push(worker);
    void worker.ended.then(() => {
      this.#workers = this.#workers.filter((one) => one !== worker);
      if (!this.#ended) this.#start();
    });
  }

  /** One misfortune. */
  async strike(): Promise<void> {
    const { random, operator, dir } = this.#given;
    const worker = random.pick(this.#workers);
    const kind = random.next();
    if (kind < 0.08) {
      this.struck.postgres++;
      await this.#world.server.killAll();
      await this.#world.server.start();
    } else if (kind < 0.16) {
      // The worker stands still while another worker gets its job. Then it goes on as if nothing had happened.
      this.struck.asleep++;
      worker.child.kill("SIGSTOP");
      await this.steadily(() => operator.age());
      await sleep(300 + random.below(4_000));
      worker.child.kill("SIGCONT");
    } else if (kind < 0.6) {
      // A part has just got its name, and its worker is about to commit: now all are killed at once.
      const named = await nextName(dir, 2_000);
      if (named) {
        this.struck.commit += this.#killAll();
        const parts = await this.steadily(() => operator.parts());
        this.orphans += findLeftovers(dir, parts).filter((name) => !name.startsWith(".")).length;
      }
    } else {
      this.struck.worker++;
      worker.child.kill("SIGKILL");
    }
    await this.steadily(() => operator.age());
  }

  #killAll(): number {
    const count = this.#workers.length;
    for (const { child } of this.#workers) child.kill("SIGKILL");
    return count;
  }

  /** Reads as somebody who trusts the manifest. */
  async look(): Promise<void> {
    const { dir, operator } = this.#given;
    const parts = await this.steadily(() => operator.parts());
    this.wrong.push(...(await checkParts(dir, parts, this.#seen)));
  }

  /** Whether all is done. */
  async settle(): Promise<boolean> {
    const { operator } = this.#given;
    const { waiting, active } = await this.steadily(() => operator.status());
    await this.look();
    // A worker that died with its job sends no more signs of life.
    if (waiting === 0 && active > 0) await this.steadily(() => operator.age());
    return waiting + active === 0;
  }

  /** Asks again while the database starts. */
  async steadily<T>(ask: () => Promise<T>): Promise<T> {
    for (let attempt = 0; ; attempt++) {
      try {
        return await ask();
      } catch (error) {
        if (attempt > 100) throw error;
        await sleep(100);
      }
    }
  }

  /** Workers end by themselves and clean up when no job is left. */
  async end(): Promise<void> {
    if (this.#ended) return;
    this.#ended = true;
    await Promise.all(this.#workers.map(({ ended }) => Promise.race([ended, sleep(30_000)])));
    for (const { child } of this.#workers) child.kill("SIGKILL");
  }
}

/** Waits until a file gets a name that is not hidden. */
function nextName(dir: string, ms: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => end(false), ms);
    const watcher = watch(dir, (_event, name) => {
      if (name !== null && !name.startsWith(".")) end(true);
    });
    const end = (found: boolean) => {
      clearTimeout(timer);
      watcher.close();
      resolve(found);
    };
  });
}
