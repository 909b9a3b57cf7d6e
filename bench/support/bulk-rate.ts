import { openBulkWorld, openOperator } from "../../test/chaos/bulk/bulk-world.ts";

/** Blocks of a run, of a job, and transactions of a block. */
const size = { blocks: 480, job: 20, perBlock: 20 };

/** Transactions a second of so many workers in processes of their own, from the first part to the last. */
export async function rateOfWorkers(count: number): Promise<number> {
  const world = await openBulkWorld({ perBlock: size.perBlock });
  try {
    const [url, dir] = [await world.createDatabase("rate"), world.folder()];
    const operator = await openOperator(url);
    await operator.plan(10_000, 10_000 + size.blocks - 1, size.job);
    const workers = Array.from({ length: count }, () => world.startWorker({ url, dir }));
    const codes = await Promise.all(workers.map(({ ended }) => ended));
    if (codes.some((code) => code !== 0)) throw new Error(`workers ended with ${codes.join(", ")}`);
    // Workers start one after the other: what counts begins when each has made a part or two.
    const warm = 2 * count;
    const { rows } = await operator
      .database()
      .ask("SELECT rows, extract(epoch FROM made_at)::float8 AS at FROM txgloss_bulk.part ORDER BY made_at");
    await operator.close();
    const counted = rows.slice(warm);
    const seconds = counted.at(-1)?.at - rows[warm - 1]?.at;
    return counted.reduce((sum, { rows: made }) => sum + made, 0) / seconds;
  } finally {
    await world.close();
  }
}
