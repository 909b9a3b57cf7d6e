// What metering costs. Compares taking and charging a free call with the bare database statement, and a metered remembered POST /explain
// with an open one (CPU time of the server's process per request, rounds interleaved). Budgets: 1.5 and 1.6 times.
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as wait } from "node:timers/promises";
import { openLedger } from "../src/serve/access/ledger/ledger.ts";
import { toClient } from "../src/serve/access/quota/client-address.ts";
import { createFreeCalls } from "../src/serve/access/quota/free-calls.ts";
import { hashOf } from "../test/support/sample.ts";
import { measure, median, startSubject } from "./support/load.ts";

const takesPerRound = 4_000;
const rounds = 15;
/** Charges are written in the background. After this time they are written, so that their cost is counted for the calls that caused it. */
const writtenMs = 50;

await benchFreeCalls();
await benchService();

async function benchFreeCalls(): Promise<void> {
  const raw = openRaw();
  const ledger = await openLedger({ dataDir: newDirectory() });
  const freeCalls = createFreeCalls({ ledger, perDay: 1e9, secrets: ["bench"], now: Date.now });
  // The number of clients of a busy minute.
  const clients = Array.from({ length: 200 }, (_, index) => toClient(`203.0.113.${index}`));
  const samples = { raw: [] as number[], freeCalls: [] as number[], alone: [] as number[] };
  for (let round = -2; round < rounds; round++) {
    let turn = 0;
    const one = time(() => raw(String(clients[turn++ % clients.length]), 20_000, 1e9));
    let index = 0;
    const call = async () => (await freeCalls.take(clients[index++ % clients.length] ?? clients[0]!)).call?.charge();
    const two = await timeGroups(call);
    const three = await timeAlone(call);
    if (round < 0) continue;
    samples.raw.push(one);
    samples.freeCalls.push(two);
    samples.alone.push(three);
  }
  await ledger.close();
  report("raw node:sqlite statement      ", samples.raw);
  report("free call                      ", samples.freeCalls);
  print("free call ÷ raw statement", samples.freeCalls, { base: samples.raw, limit: 1.5 });
  print("the same, one at a time", samples.alone, { base: samples.raw, limit: 1.5 });
}

async function benchService(): Promise<void> {
  const body = JSON.stringify({ tx_hash: hashOf(1) });
  const bytes = Buffer.from(
    `POST /explain HTTP/1.1\r\nHost: localhost\r\nAccept: */*\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  const [open, metered] = [await startSubject("open"), await startSubject("metered")];
  await measure([open, metered], { rounds, requests: 4_000, connections: 16, bytes });
  report("POST /explain, open            ", open.samples);
  report("POST /explain, metered         ", metered.samples);
  print("metered ÷ open cached /explain", metered.samples, { base: open.samples, limit: 1.6 });
}

/** The bare statement, on a database file of its own with the same settings. */
function openRaw(): (client: string, day: number, cap: number) => unknown {
  const database = new DatabaseSync(join(newDirectory(), "raw.sqlite"));
  database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL");
  database.exec("CREATE TABLE allowance (client TEXT, day BIGINT, used BIGINT, PRIMARY KEY (client, day))");
  const statement = database.prepare(
    `INSERT INTO allowance VALUES (?, ?, 1)
     ON CONFLICT DO UPDATE SET used = used + 1 WHERE used < ? RETURNING used`,
  );
  return (client, day, cap) => statement.get(client, day, cap);
}

/** CPU microseconds of one call. */
function time(work: () => unknown): number {
  const start = process.cpuUsage();
  for (let call = 0; call < takesPerRound; call++) work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / takesPerRound;
}

/** CPU microseconds of one call where sixteen run at a time, which is the load of the other benchmarks. */
async function timeGroups(work: () => unknown): Promise<number> {
  const start = process.cpuUsage();
  for (let call = 0; call < takesPerRound; call += 16) {
    await Promise.all(Array.from({ length: 16 }, work));
    await endOfTurn();
  }
  await wait(writtenMs);
  const { user, system } = process.cpuUsage(start);
  return (user + system) / takesPerRound;
}

async function timeAlone(work: () => unknown): Promise<number> {
  const start = process.cpuUsage();
  for (let call = 0; call < takesPerRound; call++) {
    await work();
    await endOfTurn();
  }
  await wait(writtenMs);
  const { user, system } = process.cpuUsage(start);
  return (user + system) / takesPerRound;
}

/** Charges are written then. */
function endOfTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function newDirectory(): string {
  return mkdtempSync(join(tmpdir(), "txgloss-bench-"));
}

function report(name: string, samples: readonly number[]): void {
  console.log(`${name}${median(samples).toFixed(1)} µs CPU`);
}

function print(
  bench: string,
  samples: readonly number[],
  { base, limit }: { base: readonly number[]; limit: number },
): void {
  const ratio = median(samples.map((value, round) => value / (base[round] as number)));
  console.log(JSON.stringify({ bench, ratio: Number(ratio.toFixed(2)), limit }));
}
