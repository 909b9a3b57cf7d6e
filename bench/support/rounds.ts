// A way to measure that a busy machine disturbs little. In every round each item passes through all subjects, items and subjects in another
// order each time. Only ratios of neighbouring times count.

export interface Subject<T> {
  name: string;
  /** Works on one item. What it returns is kept, so that no work can be left out. */
  run(item: T): unknown;
}

export interface Measured {
  name: string;
  /** Nanoseconds for one item: the mean over the items of their medians over the rounds. */
  nanoseconds: number;
  /** This subject's time over the first subject's for an item, median over rounds and items. */
  ratio: number;
  /** The same for the mean over all items, which the largest ones decide. */
  ratioOfMeans: number;
}

let kept: unknown;

/** Runs every item through every subject once a round, after rounds that only warm up. The first subject is the measure. */
export function measureRounds<T>(
  subjects: readonly Subject<T>[],
  items: readonly T[],
  { rounds = 60, warmups = 60 } = {},
): Measured[] {
  const times = subjects.map(() => items.map((): number[] => []));
  for (let round = -warmups; round < rounds; round++)
    for (const at of shuffle(items.length))
      for (const i of shuffle(subjects.length)) {
        const start = process.hrtime.bigint();
        kept = (subjects[i] as Subject<T>).run(items[at] as T);
        const time = Number(process.hrtime.bigint() - start);
        if (round >= 0) times[i]?.[at]?.push(time);
      }
  const base = times[0] as number[][];
  const measure = mean(base.map(median));
  return subjects.map(({ name }, i) => {
    const own = times[i] as number[][];
    const nanoseconds = mean(own.map(median));
    const ratios = own.map((samples, at) =>
      median(samples.map((time, round) => time / (base[at]?.[round] ?? Number.NaN))),
    );
    return { name, nanoseconds, ratio: median(ratios), ratioOfMeans: nanoseconds / measure };
  });
}

/** The value of the last run: reading it keeps the work from being optimized away. */
export function lastKept(): unknown {
  return kept;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

/** Prints one finding for bench/run.ts. */
export function report(bench: string, ratio: number, limit?: number): void {
  console.log(JSON.stringify({ bench, ratio: Number(ratio.toFixed(3)), ...(limit !== undefined && { limit }) }));
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function shuffle(length: number): number[] {
  return Array.from({ length }, (_, i) => ({ i, key: Math.random() }))
    .sort((a, b) => a.key - b.key)
    .map(({ i }) => i);
}
