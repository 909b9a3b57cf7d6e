// Many transactions at once. The filter over recorded transactions: transactions per second and core, beside JSON.parse of the same
// lines; two threads against one; memory as the input grows. Two workers over block ranges against one, with PostgreSQL and a node of
// this machine. VOLUME_LINES=1000000 measures memory over a million; only=filter, memory or workers as VOLUME_ONLY runs one part.
import { availableParallelism, loadavg } from "node:os";
import { join } from "node:path";
import { readConfig } from "../src/serve/settings/config.ts";
import { keepObjectsYoung } from "../src/serve/start/runtime.js";
import { type FilterProgress, runFilter } from "../src/tools/volume/filter.ts";
import { findPostgres } from "../test/support/postgres.ts";
import { root } from "../test/support/shared.ts";
import { rateOfWorkers, type WorkersRate } from "./support/bulk-rate.ts";
import { canPin, pinTo } from "./support/pin.ts";
import { readRecorded } from "./support/recorded.ts";
import { median, report } from "./support/rounds.ts";

// As the command starts.
keepObjectsYoung();
const config = readConfig({ RECORDINGS_DIR: join(root, "test/transactions"), LOOKUPS: "off" });
const lines = readRecorded().map(({ text }) => Buffer.from(`${text.trim()}\n`));
const only = process.env.VOLUME_ONLY;

/** Recorded transactions in chunks as a pipe gives them. */
async function* inputOf(count: number): AsyncGenerator<Uint8Array> {
  let chunk: Buffer[] = [];
  let size = 0;
  for (let i = 0; i < count; i++) {
    const line = lines[i % lines.length] as Buffer;
    chunk.push(line);
    size += line.length;
    if (size < 65_536 && i < count - 1) continue;
    yield Buffer.concat(chunk);
    chunk = [];
    size = 0;
  }
}

/**
 * Times the last third: until then each thread has V8 compile what is hot, on other threads, which costs a fifth of all CPU at first. CPU is of
 * the whole process.
 */
async function measureFilter(count: number, threads: number, watch: (now: FilterProgress) => void = () => {}) {
  let start = 0;
  let from = 0;
  let cpu = process.cpuUsage();
  const work = { config, asks: false, evidence: false, threads };
  const done = await runFilter({
    ...{ work, input: inputOf(count) },
    write: async () => {},
    progress(now) {
      if (from === 0 && now.answers >= (count * 2) / 3) {
        [start, from, cpu] = [performance.now(), now.answers, process.cpuUsage()];
      }
      watch(now);
    },
  });
  if (done.failures > 0 || done.answers !== count) throw new Error(`${done.failures} failures of ${done.answers}`);
  const used = process.cpuUsage(cpu);
  const answers = count - from;
  return {
    perSecond: (answers / (performance.now() - start)) * 1_000,
    cpuMicroseconds: (used.user + used.system) / answers,
  };
}

/** CPU microseconds for one line. */
function measureParse(rounds: number): number {
  const texts = lines.map((line) => line.toString());
  for (const text of texts) JSON.parse(text);
  const before = process.cpuUsage();
  for (let round = 0; round < rounds; round++) for (const text of texts) JSON.parse(text);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / (rounds * texts.length);
}

if (only === undefined || only === "filter") {
  const count = 36_000;
  const parse = measureParse(60);
  const one: Awaited<ReturnType<typeof measureFilter>>[] = [];
  const two: typeof one = [];
  const onOneCore: typeof one = [];
  for (let round = 0; round < 3; round++) {
    one.push(await measureFilter(count, 1));
    two.push(await measureFilter(count, 2));
    if (!canPin()) continue;
    const unpin = pinTo("0");
    onOneCore.push(await measureFilter(count, 1));
    unpin();
  }
  const cpu = median(one.map(({ cpuMicroseconds }) => cpuMicroseconds));
  console.log(
    `filter: ${Math.round(1e6 / cpu)} transactions per second and core (${cpu.toFixed(0)} µs; JSON.parse ${parse.toFixed(0)} µs)`,
  );
  report("filter ÷ JSON.parse of the same lines, CPU", cpu / parse);
  // Beside others on the machine the wall clock says little; what two threads cost more than one is told by their CPU.
  const cpuOfTwo = median(two.map(({ cpuMicroseconds }) => cpuMicroseconds));
  console.log(`load ${loadavg()[0]?.toFixed(1)} on ${availableParallelism()} cores`);
  report("CPU of a line with two threads ÷ with one", cpuOfTwo / cpu, 1.2);
  const times = (of: typeof one) => median(of.map(({ perSecond }, i) => (two[i]?.perSecond ?? 0) / perSecond));
  // One thread on two cores leaves reading, writing and V8's own threads to the other core; with two threads they share with them.
  if (availableParallelism() > 1) report("filter with two threads ÷ with one, lines a second", times(one));
  if (canPin()) report("filter with two threads on two cores ÷ one thread on one core", times(onOneCore));
}

if (only === undefined || only === "memory") {
  const count = Number(process.env.VOLUME_LINES ?? 60_000);
  const seen: { answers: number; rss: number }[] = [];
  await measureFilter(count, Math.min(2, availableParallelism()), ({ answers }) => {
    if (answers < (seen.length + 1) * (count / 60)) return;
    seen.push({ answers, rss: process.memoryUsage.rss() });
    if (process.env.VOLUME_LINES !== undefined)
      console.error(`${answers} lines, ${Math.round(process.memoryUsage.rss() / 2 ** 20)} MB`);
  });
  const top = (part: typeof seen) => Math.max(...part.map(({ rss }) => rss)) / 2 ** 20;
  const [middle, last] = [seen.slice(20, 40), seen.slice(40)];
  console.log(
    `memory: ${top(middle).toFixed(0)} MB at most in the second third of ${count} lines, ${top(last).toFixed(0)} MB in the last`,
  );
  report(`memory of the last third ÷ the second, ${count} lines`, top(last) / top(middle), 1.15);
}

if ((only === undefined || only === "workers") && findPostgres() !== undefined) {
  const measured: Record<string, WorkersRate> = {
    "one worker, node and PostgreSQL on any core": await rateOfWorkers(1),
    "two workers, node and PostgreSQL on any core": await rateOfWorkers(2),
    ...(canPin() && { "one worker, node and PostgreSQL on one core": await rateOfWorkers(1, "0") }),
  };
  for (const [name, { perSecond, cpu }] of Object.entries(measured)) {
    const each = Object.entries(cpu).map(([of, used]) => `${of} ${used.toFixed(0)}`);
    console.log(`${name}: ${Math.round(perSecond)} transactions a second; CPU µs of one: ${each.join(", ")}`);
  }
  const [one, two, onOneCore] = Object.values(measured);
  // With two cores, one worker has the other core for the node, the database and its own helper threads. Two have none left over.
  report("two workers ÷ one, transactions a second", (two?.perSecond ?? 0) / (one?.perSecond ?? 0));
  if (onOneCore !== undefined)
    report("two workers on two cores ÷ one on one core", (two?.perSecond ?? 0) / onOneCore.perSecond);
}
