import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { Address } from "../../src/kernel/address.ts";
import { openDrainerLists } from "../../src/network/drainers/drainer-lists.ts";
import { someone } from "../assess/scene.ts";
import { type FactAnswer, startFactServer } from "../support/fact-server.ts";
import { findShared } from "../support/shared.ts";

const entries = Array.from({ length: 10 }, (_, i) => someone(`drainer ${i}`));
const drainer = entries[0] as Address;
const hour = 3_600_000;

function tempDir(): string {
  const dir = mkdtempSync(join(tmpdir(), "txgloss-lists-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

/** A list on a server with entity tags, and a process that reads it. */
async function build(options: { dir?: string | null; at?: string[]; timeoutMs?: number } = {}) {
  const held = { body: JSON.stringify(entries), etag: '"1"', status: 200, notModified: 0 };
  const server = await startFactServer((url, request): FactAnswer | undefined => {
    if (url.pathname !== "/list.json") return undefined;
    if (held.status !== 200) return { status: held.status, body: held.body };
    if (request.headers["if-none-match"] === held.etag) {
      held.notModified++;
      return { status: 304, body: "" };
    }
    return { body: held.body, headers: { etag: held.etag } };
  });
  const clock = { time: Date.UTC(2026, 0, 1), now: () => clock.time };
  const dir = options.dir === undefined ? tempDir() : options.dir;
  const start = () => {
    const at = options.at ?? [`${server.url}/list.json?key=secret`];
    const lists = openDrainerLists(at, { dir, refreshMs: 6 * hour, timeoutMs: options.timeoutMs ?? 2_000, clock });
    onTestFinished(() => lists.close());
    const look = (addresses: Address[] = [drainer, someone("alice")], ms = 1_000) =>
      lists.look(addresses, { signal: AbortSignal.timeout(ms), time: () => "then" });
    return { ...lists, look };
  };
  return { held, server, clock, dir, start };
}

describe("drainer lists", () => {
  it("are loaded at the first question, and name list, time, hash and size", async () => {
    const { start, server } = await build();
    const found = await start().look();
    expect(found).toMatchObject({
      status: "found",
      asked: [drainer, someone("alice")],
      hits: [{ address: drainer, list: `${server.url.slice(7)}/list.json` }],
      lists: [
        {
          snapshot_time: "2026-01-01T00:00:00.000Z",
          sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
          entries: 10,
          stale: false,
        },
      ],
    });
    expect(JSON.stringify(found)).not.toContain("secret");
  });

  it("are found in a list of mixed case", async () => {
    const { start, held } = await build();
    held.body = JSON.stringify(entries.map((entry) => entry.toUpperCase().replace("0X", "0x")));
    expect(await start().look()).toMatchObject({ status: "found" });
  });

  it("are asked again when they are due, with the tag, and not before", async () => {
    const { start, server, clock, held } = await build();
    const { look, refresh } = start();
    await look();
    await refresh();
    expect(server.visits).toHaveLength(1);
    clock.time += 6 * hour + 1;
    await refresh();
    expect([server.visits.length, held.notModified]).toEqual([2, 1]);
    expect((await look()).lists).toMatchObject([{ snapshot_time: "2026-01-01T00:00:00.000Z", stale: false }]);
    Object.assign(held, { etag: '"2"', body: JSON.stringify([...entries, someone("alice")]) });
    clock.time += 6 * hour + 1;
    await refresh();
    expect((await look()).hits).toHaveLength(2);
  });

  it.each([
    ["that shrank by over a fifth", JSON.stringify(entries.slice(0, 7))],
    ["that does not parse", '["0x12'],
    ["without an address", "[]"],
    ["that is a web page", "<html>moved</html>"],
  ])("refuse a snapshot %s, keep the old one and mark it stale", async (_name, body) => {
    const { start, clock, held } = await build();
    const { look, refresh } = start();
    const before = await look();
    Object.assign(held, { etag: '"2"', body });
    clock.time += 6 * hour + 1;
    await refresh();
    const after = await look();
    expect(after.hits).toEqual(before.hits);
    expect(after.lists).toMatchObject([{ sha256: before.lists[0]?.sha256, stale: true }]);
    held.body = JSON.stringify(entries.slice(0, 8));
    await refresh();
    expect((await look()).lists).toMatchObject([{ entries: 8, stale: false }]);
  });

  it.each([0, 1])("are read up to 64 MiB, %d bytes more", async (more) => {
    const { start, held } = await build({ timeoutMs: 60_000 });
    held.body = JSON.stringify(entries).padEnd(64 * 1024 * 1024 + more);
    expect((await start().look(undefined, 60_000)).status === "found").toBe(more === 0);
  });

  it.each([203, 404, 500])("take nothing of an answer of status %d, whatever it holds", async (status) => {
    const { start, held } = await build();
    held.status = status;
    expect((await start().look()).status).not.toBe("found");
  });

  it.each(["500", "429", "garbage", "shape", "empty", "refused"] as const)(
    "keep the old snapshot at %s, and recover",
    async (fault) => {
      const { start, clock, server } = await build();
      const { look, refresh } = start();
      await look();
      server.fault = fault;
      clock.time += 6 * hour + 1;
      await refresh();
      expect(await look()).toMatchObject({ status: "found", lists: [{ stale: true }] });
      server.fault = null;
      await refresh();
      expect(await look()).toMatchObject({ lists: [{ stale: false }] });
    },
  );

  it("are unavailable until the first snapshot came", async () => {
    const { start, server } = await build();
    server.fault = "500";
    const { look, refresh } = start();
    expect(await look()).toMatchObject({
      status: "unavailable",
      hits: [],
      lists: [{ snapshot_time: null, stale: true }],
    });
    server.fault = null;
    await refresh();
    expect(await look()).toMatchObject({ status: "found" });
  });

  it("are asked again at the very moment when they are due, and are stale after three times as long", async () => {
    const { start, server, clock } = await build();
    const { look, refresh } = start();
    await look();
    clock.time += 6 * hour - 1;
    await refresh();
    expect(server.visits).toHaveLength(1);
    clock.time += 1;
    await refresh();
    expect(server.visits).toHaveLength(2);
    clock.time += 18 * hour;
    expect((await look()).lists).toMatchObject([{ stale: false }]);
    clock.time += 1;
    expect((await look()).lists).toMatchObject([{ stale: true }]);
  });

  it("are asked again after a failure though the clock was set back", async () => {
    const { start, server, clock } = await build();
    const { look, refresh } = start();
    await look();
    server.fault = "500";
    clock.time += 6 * hour;
    await refresh();
    server.fault = null;
    clock.time -= 6 * hour;
    await refresh();
    expect(server.visits).toHaveLength(3);
    expect((await look()).lists).toMatchObject([{ stale: false }]);
  });

  it("are kept with the address of their source, and taken from there alone when all of it is there", async () => {
    const { start, server, dir, clock } = await build();
    await start().look();
    const path = join(dir as string, readdirSync(dir as string)[0] as string);
    const kept = JSON.parse(readFileSync(path, "utf8"));
    expect(kept).toEqual({
      ...{ at: `${server.url}/list.json?key=secret`, etag: '"1"', taken: clock.time, checked: clock.time },
      ...{ sha256: expect.stringMatching(/^[0-9a-f]{64}$/), addresses: [...entries].sort() },
    });
    server.fault = "500";
    const restored = async (parts: object) => {
      writeFileSync(path, JSON.stringify({ ...kept, ...parts }));
      const visits = server.visits.length;
      const [list] = (await start().look()).lists;
      return [list?.snapshot_time !== null, server.visits.length - visits];
    };
    expect(await restored({})).toEqual([true, 0]);
    expect(await restored({ checked: clock.time - 6 * hour + 1 })).toEqual([true, 0]);
    for (const broken of [{ at: "x" }, { sha256: "x" }, { addresses: [] }, { taken: "x" }, { checked: null }])
      expect(await restored(broken)).toEqual([false, 1]);
    // A tag that is no text is left out: then the whole list is asked for.
    expect(await restored({ etag: 5 })).toEqual([true, 0]);
  });

  it("have one hit for each list that names an address, in the order of the addresses", async () => {
    const dir = tempDir();
    const [one, two] = [join(dir, "one.txt"), join(dir, "two.txt")];
    writeFileSync(one, `${entries[1]}\n${drainer}\n`);
    writeFileSync(two, `${drainer}\n`);
    const { start } = await build({ at: [one, two] });
    const lists = start();
    const asked = [someone("alice"), drainer, entries[1] as Address];
    const found = await lists.look(asked);
    expect(found).toMatchObject({ status: "found", source: "one.txt, two.txt", time: "then", asked });
    expect(found.hits).toEqual([
      { address: drainer, list: "one.txt" },
      { address: drainer, list: "two.txt" },
      { address: entries[1], list: "one.txt" },
    ]);
    expect(await lists.look([someone("alice")])).toMatchObject({ status: "absent", hits: [] });
    expect((await build({ at: [] })).start().health).toEqual([]);
  });

  it("keep nobody waiting for a server that does not answer", async () => {
    const { start, server } = await build();
    server.fault = "slow";
    const lists = start();
    expect(await lists.look([drainer], 30)).toMatchObject({ status: "unavailable" });
  });

  it("are there at the next start without asking, and are not taken from a broken file", async () => {
    const { start, server, dir, clock } = await build();
    await start().look();
    server.fault = "500";
    const again = start();
    expect(await again.look()).toMatchObject({ status: "found", lists: [{ stale: false }] });
    expect(server.visits).toHaveLength(1);
    const [file] = readdirSync(dir as string);
    const path = join(dir as string, file as string);
    writeFileSync(path, readFileSync(path, "utf8").replace(drainer, someone("alice")));
    expect(await start().look()).toMatchObject({ status: "unavailable" });
    writeFileSync(path, "{");
    expect(await start().look()).toMatchObject({ status: "unavailable" });
    expect(clock.time).toBeGreaterThan(0);
  });

  it("work without a directory, and where it cannot be written", async () => {
    const nowhere = await build({ dir: null });
    expect(await nowhere.start().look()).toMatchObject({ status: "found" });
    const file = join(tempDir(), "file");
    writeFileSync(file, "");
    const blocked = await build({ dir: join(file, "below") });
    expect(await blocked.start().look()).toMatchObject({ status: "found" });
  });

  it("come from files too, beside one another", async () => {
    const path = join(tempDir(), "own.txt");
    writeFileSync(path, `${someone("alice")}\n`);
    const { start } = await build({ at: [path, join(tempDir(), "missing.txt")] });
    expect(await start().look()).toMatchObject({
      hits: [{ address: someone("alice"), list: "own.txt" }],
      lists: [
        { name: "own.txt", stale: false },
        { name: "missing.txt", snapshot_time: null },
      ],
    });
  });

  it("are unavailable when none is configured", async () => {
    const { start } = await build({ at: [] });
    expect(await start().look()).toMatchObject({ status: "unavailable", source: "none", lists: [] });
  });

  const real = findShared("facts/drainers.txt");
  it.skipIf(real === undefined || !existsSync(real))("hold a real list of thousands", async () => {
    const { start } = await build({ at: [real as string] });
    const known = "0x000000002651a7206f8d7a23fe4410edf16dbec3" as Address;
    expect(await start().look([known])).toMatchObject({ hits: [{ address: known }], lists: [{ entries: 2530 }] });
  });

  it("are named by host and path, or by file, and kept under a name of 24 digits and nothing beside it", async () => {
    const { server, dir, start } = await build();
    const lists = start();
    const secret = server.url.replace("//", "//user:key@");
    const other = openDrainerLists([`${secret}/list.json`, "/etc/lists/some.txt", "httpx/list"], {
      ...{ dir: null, refreshMs: hour, timeoutMs: 2_000, clock: { now: () => 0 } },
    });
    expect(other.health.map(({ kind, name }) => [kind, name])).toEqual([
      ["drainer_list", `${server.url.slice(7)}/list.json`],
      ["drainer_list", "some.txt"],
      ["drainer_list", "list"],
    ]);
    await lists.look();
    expect(readdirSync(dir as string)).toEqual([expect.stringMatching(/^[0-9a-f]{24}\.json$/)]);
  });

  it.each([
    [6 * hour, 60_000],
    [5_000, 5_000],
  ])("that are due after %i ms are looked at every %i ms, until they are closed", async (refreshMs, everyMs) => {
    const path = join(tempDir(), "list.txt");
    writeFileSync(path, `${drainer}\n`);
    const started = vi.spyOn(globalThis, "setInterval");
    const ended = vi.spyOn(globalThis, "clearInterval");
    const lists = openDrainerLists([path], { dir: null, refreshMs, timeoutMs: 2_000, clock: { now: () => 0 } });
    expect(started).not.toHaveBeenCalled();
    await Promise.all([lists.refresh(), lists.refresh()]);
    await lists.refresh();
    lists.close();
    const [timers, stopped] = [started.mock, ended.mock.calls.map(([timer]) => timer)];
    vi.restoreAllMocks();
    expect(timers.calls.map(([, ms]) => ms)).toEqual([everyMs]);
    const timer = timers.results[0]?.value as NodeJS.Timeout;
    expect([timer.hasRef(), stopped.includes(timer)]).toEqual([false, true]);
  });
});
