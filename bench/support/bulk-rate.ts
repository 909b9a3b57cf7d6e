import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { openBulkWorld, openOperator } from "../../test/chaos/bulk/bulk-world.ts";
import { pinTo } from "./pin.ts";
import { watchCpu } from "./process-cpu.ts";

/**
 * Blocks of a job, transactions of a block, and jobs of each worker: those of the first time, in which V8 compiles what is hot on other
 * threads, and those that count.
 */
const size = { job: 20, perBlock: 20, warm: 20, counted: 20 };
const first = 10_000;

export interface WorkersRate {
  /** Transactions a second of all workers together. */
  perSecond: number;
  /** Microseconds of CPU for a transaction: of the workers with all their threads, of the node, of PostgreSQL. */
  cpu: Record<"workers" | "node" | "postgres", number>;
}

/**
 * The rate of this many workers, in processes of their own, from the first part to the last. The node is another process that serves blocks
 * which it serialized before. `cores`: the cores that the workers, the node and PostgreSQL may use together, in the form of `taskset`.
 */
export async function rateOfWorkers(count: number, cores: string | null = null): Promise<WorkersRate> {
  const unpin = pinTo(cores);
  const last = first + count * (size.warm + size.counted) * size.job - 1;
  // What is started from here on stays on these cores.
  const world = await openBulkWorld();
  const node = await startNode(last);
  try {
    const [url, dir] = [await world.createDatabase("rate"), world.folder()];
    const operator = await openOperator(url);
    await operator.plan(first, last, size.job);
    const workers = Array.from({ length: count }, () => world.startWorker({ url, dir, env: { RPC_URLS: node.url } }));
    const cpu = watchCpu({
      workers: { pids: workers.flatMap(({ child }) => child.pid ?? []) },
      node: { pids: [node.pid] },
      postgres: { pids: [], parent: world.server.pid() },
    });
    const codes = await Promise.all(workers.map(({ ended }) => ended));
    cpu.stop();
    if (codes.some((code) => code !== 0)) throw new Error(`workers ended with ${codes.join(", ")}`);
    const warm = count * size.warm;
    const { rows } = await operator
      .database()
      .ask("SELECT rows, extract(epoch FROM made_at)::float8 AS at FROM txgloss_bulk.part ORDER BY made_at");
    await operator.close();
    const [from, to] = [rows[warm - 1]?.at, rows.at(-1)?.at];
    const made = rows.slice(warm).reduce((sum, { rows: some }) => sum + some, 0);
    const used = cpu.between(from * 1_000, to * 1_000);
    const each = (seconds: number) => (seconds / made) * 1e6;
    return {
      perSecond: made / (to - from),
      cpu: { workers: each(used.workers), node: each(used.node), postgres: each(used.postgres) },
    };
  } finally {
    node.stop();
    await world.close();
    unpin();
  }
}

async function startNode(last: number) {
  const path = fileURLToPath(new URL("../../test/support/replay-node-process.ts", import.meta.url));
  const args = ["0", String(size.perBlock), String(first), String(last)];
  const child = spawn(process.execPath, [path, ...args], { stdio: ["ignore", "pipe", "inherit"] });
  const line = await createInterface(child.stdout)[Symbol.asyncIterator]().next();
  return { url: String(line.value), pid: child.pid as number, stop: () => child.kill() };
}
