import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { BulkError } from "../../../src/tools/bulk/bulk-error.ts";
import { openPart } from "../../../src/tools/bulk/parts/part-file.ts";
import { attemptName, commitPart, LostJobError, sweepFolder } from "../../../src/tools/bulk/queue/manifest.ts";
import { jobsSchema, queueOf, type RangeJob } from "../../../src/tools/bulk/queue/range-job.ts";
import {
  type BulkWorld,
  findLeftovers,
  folders,
  hashRows,
  type Operator,
  openBulkWorld,
  openOperator,
} from "../../chaos/bulk/bulk-world.ts";
import { findPostgres } from "../../support/postgres.ts";
import { replayedHash } from "../../support/replay-node.ts";

const noServer = findPostgres() === undefined;
let world: BulkWorld;
beforeAll(async () => {
  if (!noServer) world = await openBulkWorld();
}, 60_000);
afterAll(() => world?.close());

let made = 0;
/** An operator of a new database. */
async function openNew(given = folders): Promise<Operator & { url: string }> {
  const url = await world.createDatabase(`bulk${made++}`);
  const operator = await openOperator(url, given);
  onTestFinished(() => operator.close());
  world.node.fault = () => undefined;
  return { ...operator, url };
}

describe.skipIf(noServer)("block ranges", { timeout: 60_000 }, () => {
  it("are planned once, also if they are planned again or overlap, and every transaction is in one part", async () => {
    const operator = await openNew();
    const dir = world.folder();
    expect(await operator.plan(103, 127, 10)).toMatchObject({ jobs: 3, known: 0 });
    expect(await operator.plan(103, 127, 10)).toMatchObject({ jobs: 0, known: 3 });
    expect(await operator.plan(95, 132, 10)).toMatchObject({ jobs: 4, known: 3 });
    world.node.calls.clear();
    await world.workHere(operator, dir);
    const parts = await operator.parts();
    expect(parts.map(({ first, last }) => [first, last])).toEqual([
      [95, 99],
      [100, 102],
      [103, 109],
      [110, 119],
      [120, 127],
      [128, 129],
      [130, 132],
    ]);
    const rows = await operator.rows(dir);
    const expected = Array.from({ length: 38 * 4 }, (_, i) => replayedHash(95 + Math.floor(i / 4), i % 4));
    expect(rows.map(({ tx_hash }) => tx_hash)).toEqual(expected);
    expect(rows.map(({ transaction_index: at }) => at)).toEqual(expected.map((_, i) => i % 4));
    // Blocks are read as a whole: three calls for each, and one for the state of contracts.
    for (const method of ["eth_getBlockByNumber", "eth_getBlockReceipts", "debug_traceBlockByNumber"])
      expect(world.node.calls.get(method), method).toBe(38);
    expect(findLeftovers(dir, parts)).toEqual([]);
    expect(await operator.status()).toMatchObject({ planned: 7, done: 7, blocks: 38, blocksDone: 38, rows: 152 });
  });

  it("are the same rows as Parquet and as NDJSON, and the same bytes each time", async () => {
    const [one, other, columns] = [await openNew(), await openNew(), await openNew()];
    const [a, b, c] = [world.folder(), world.folder(), world.folder()];
    await one.plan(200, 219, 10);
    await other.plan(200, 219, 10);
    await columns.plan(200, 219, 10, "parquet");
    await Promise.all([world.workHere(one, a), world.workHere(other, b), world.workHere(columns, c)]);
    expect((await other.parts()).map(({ name }) => name)).toEqual((await one.parts()).map(({ name }) => name));
    const plain = await one.rows(a);
    const sorted = (rows: object[]) => rows.map((row) => Object.fromEntries(Object.entries(row).sort()));
    expect(sorted(await columns.rows(c))).toEqual(sorted(plain));
    expect(plain.length).toBe(80);
  });

  it("hold no token, no membership and no price that the block itself does not show", async () => {
    const operator = await openNew();
    const dir = world.folder();
    await operator.plan(300, 303, 10);
    let asked: unknown[] = [];
    world.node.fault = ({ method, params }) => {
      if (method === "eth_call") asked = [...asked, params[1]];
      return undefined;
    };
    await world.workHere(operator, dir);
    expect(new Set(asked)).toEqual(new Set([300, 301, 302, 303].map((number) => `0x${number.toString(16)}`)));
    const rows = await operator.rows(dir);
    expect(rows.some(({ assets_moved }) => assets_moved.length > 0)).toBe(true);
  });
});

describe.skipIf(noServer)("what goes wrong with a range", { timeout: 180_000 }, () => {
  const wrongs: [string, (answer: unknown) => unknown][] = [
    ["the receipts of another block", () => []],
    ["one log less", (answer) => dropLog(answer as Receipt[])],
    ["a hang-up", () => null],
  ];
  it.each(wrongs)("is tried again when the node gives %s for one block", async (_, spoil) => {
    const operator = await openNew();
    const dir = world.folder();
    await operator.plan(400, 409, 5);
    let spoiled = 0;
    world.node.fault = ({ method, params }, answer) =>
      method === "eth_getBlockReceipts" && params[0] === "0x195" && spoiled++ === 0 ? spoil(answer) : undefined;
    const failures: string[] = [];
    await world.workHere(operator, dir, { failed: ({ first }, error) => failures.push(`${first}: ${error.message}`) });
    expect(failures).toEqual([expect.stringMatching(/^405: Block 405 cannot be read: /)].filter(() => spoiled > 0));
    expect(await operator.status()).toMatchObject({ done: 2, failed: 0, rows: 40 });
    expect(findLeftovers(dir, await operator.parts())).toEqual([]);
  });

  it("fails for good after all retries, without a part; planned again, it is tried anew", async () => {
    const operator = await openNew();
    const dir = world.folder();
    await operator.plan(500, 509, 5, "ndjson", 0);
    world.node.fault = ({ method, params }) =>
      method === "debug_traceBlockByNumber" && params[0] === "0x1f6" ? [] : undefined;
    await world.workHere(operator, dir);
    const status = await operator.status();
    expect(status).toMatchObject({ done: 1, failed: 1, failures: [{ first: 500, last: 504 }] });
    expect(status.failures[0]?.message).toContain("0 call trees for 4 transactions");
    world.node.fault = () => undefined;
    expect(await operator.plan(500, 509, 5)).toMatchObject({ jobs: 0, known: 1, revived: 1 });
    await world.workHere(operator, dir);
    expect(await operator.status()).toMatchObject({ done: 2, failed: 0 });
  });

  it("does no harm if another worker took the job over: the late one writes nothing", async () => {
    const operator = await openNew();
    const dir = world.folder();
    const { ruleset } = operator.engine;
    await operator.plan(600, 604, 5);
    const { boss } = operator.database();
    const [late] = await boss.fetch<RangeJob>(queueOf(ruleset));
    if (late === undefined) throw new Error("there is no job");
    const place = { dir, first: 600, last: 604, format: "ndjson" as const, ruleset, attempt: attemptName(late) };
    const part = await (await openPart(place)).seal(0);
    // For the others this worker stops sending signs of life, so its job is given away and done.
    await boss.fail(queueOf(ruleset), late.id);
    await operator.database().ask(`UPDATE ${jobsSchema}.job SET start_after = now() WHERE state = 'retry'`);
    await world.workHere(operator, dir);
    const done = await operator.parts();
    const commit = commitPart(operator.database(), { job: late, part, holds: new Uint8Array(), ruleset });
    await expect(commit).rejects.toBeInstanceOf(LostJobError);
    expect(await operator.parts()).toEqual(done);
    expect(done).toMatchObject([{ rows: 20 }]);
    await sweepFolder(operator.database(), dir);
    expect(findLeftovers(dir, done)).toEqual([]);
  });

  it("leaves nothing that a reader could take for data on a full disk, and another machine goes on", async (context) => {
    const full = world.folder();
    const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=16k", "tmpfs", full]);
    if (mounted.status !== 0) return context.skip("this needs the right to mount a tmpfs");
    onTestFinished(() => void spawnSync("umount", [full]));
    const operator = await openNew();
    await operator.plan(700, 859, 80);
    await expect(world.workHere(operator, full)).rejects.toMatchObject({ code: "ENOSPC" });
    expect(await operator.status()).toMatchObject({ done: 0, failed: 0 });
    expect(readdirSync(full)).toEqual([".txgloss"]);
    const dir = world.folder();
    await world.workHere(operator, dir);
    expect(await operator.status()).toMatchObject({ done: 3, rows: 640 });
    expect(findLeftovers(dir, await operator.parts())).toEqual([]);
  });

  it("does not mix rules: a worker takes ranges of its own rules alone, and parts that cannot differ serve on", async () => {
    const home = mkdtempSync(join(tmpdir(), "txgloss-rules-"));
    onTestFinished(() => rmSync(home, { recursive: true }));
    const changed = { rulesDir: join(home, "rules"), labelsDir: folders.labelsDir };
    cpSync(folders.rulesDir, changed.rulesDir, { recursive: true });
    const path = join(changed.rulesDir, "nft/rodeo.yaml");
    writeFileSync(path, readFileSync(path, "utf8").replaceAll('say: "mint', 'say: "newly mint'));
    const before = await openNew();
    const dir = world.folder();
    await before.plan(800, 899, 5);
    const after = await openOperator(before.url, changed);
    onTestFinished(() => after.close());
    await expect(world.workHere(after, dir)).rejects.toBeInstanceOf(BulkError);
    // The rules change while a worker is on its way.
    let replanned: unknown;
    await world.workHere(before, dir, {
      done: () => {
        replanned ??= after.plan(800, 839, 5);
      },
    });
    await replanned;
    await world.workHere(after, dir);
    const carried = await after.plan(800, 899, 5);
    expect(carried.carried).toBeGreaterThan(0);
    expect(carried.jobs).toBeGreaterThan(0);
    await world.workHere(after, dir);
    expect(await after.status()).toMatchObject({ blocks: 100, blocksDone: 100, rows: 400 });
    // The answers that were carried over are those that the new rules would have given.
    const fresh = await openNew(changed);
    const other = world.folder();
    await fresh.plan(800, 899, 20);
    await world.workHere(fresh, other);
    expect(await hashRows(dir, await after.parts())).toEqual(await hashRows(other, await fresh.parts()));
    expect(await hashRows(dir, await before.parts())).not.toEqual(await hashRows(dir, await after.parts()));
  });

  it("is refused when the folder is of another database, so that no part is taken for a leftover", async () => {
    const [one, other] = [await openNew(), await openNew()];
    const dir = world.folder();
    for (const operator of [one, other]) await operator.plan(900, 901, 5);
    await world.workHere(one, dir);
    await expect(world.workHere(other, dir)).rejects.toMatchObject({ code: "foreign_folder" });
    expect(findLeftovers(dir, await one.parts())).toEqual([]);
  });

  it("is told when a part is not what the manifest lists", async () => {
    const operator = await openNew();
    const dir = world.folder();
    await operator.plan(910, 911, 5);
    await world.workHere(operator, dir);
    const [part] = await operator.parts();
    writeFileSync(join(dir, part?.name ?? ""), "something else");
    await expect(operator.rows(dir)).rejects.toMatchObject({ code: "bad_part" });
    mkdirSync(join(dir, "elsewhere"));
    await expect(operator.rows(join(dir, "elsewhere"))).rejects.toMatchObject({ code: "bad_part" });
  });
});

interface Receipt {
  logs: object[];
}

function dropLog(receipts: readonly Receipt[]): Receipt[] {
  const at = receipts.findIndex(({ logs }) => logs.length > 0);
  return receipts.map((receipt, i) => (i === at ? { ...receipt, logs: receipt.logs.slice(1) } : receipt));
}
