import { utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { openDrainerLists } from "../../../src/gather/network/drainers/drainer-lists.ts";
import knownLists from "../../../src/gather/network/drainers/known-lists.json" with { type: "json" };
import { someone } from "../../engine/assess/scene.ts";
import { build, drainer, entries, hour, tempDir } from "./listed-drainers.ts";

const [known] = knownLists as [(typeof knownLists)[number]];

describe("drainer lists over time", () => {
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

  it("are as new as the last address that was seen to come to them, also over restarts", async () => {
    const { start, clock, held } = await build();
    const day = async (lists: ReturnType<typeof start>) => (await lists.look()).lists[0]?.newest_entry;
    const first = start();
    expect(await day(first)).toBe("2026-01-01");
    const renew = async (lists: ReturnType<typeof start>, body: readonly string[]) => {
      Object.assign(held, { etag: `"${body.length}"`, body: JSON.stringify(body) });
      clock.time += 24 * hour;
      await lists.refresh();
      return day(lists);
    };
    expect(await renew(first, entries.slice(1))).toBe("2026-01-01");
    expect(await renew(first, [...entries.slice(1), someone("alice")])).toBe("2026-01-03");
    const second = start();
    expect(await renew(second, entries.slice(1))).toBe("2026-01-03");
    expect(await renew(second, entries)).toBe("2026-01-05");
  });

  it.each([
    ["the latest of their dates", ["2018-11-06", "2018-10-28", "6 May"], "", "2018-11-06"],
    ["their dates of the past", ["2018-11-06", "2081-11-06"], "", "2018-11-06"],
    ["the day when their file changed", [], "Wed, 28 Feb 2024 16:32:49 GMT", "2024-02-28"],
    [
      "the day when they were fetched, where the file is of the future",
      [],
      "Fri, 02 Jan 2026 00:00:00 GMT",
      "2026-01-01",
    ],
    ["the day when they were fetched, where nothing tells more", [], "yesterday", "2026-01-01"],
  ])("are first as new as %s", async (_name, dates, changed, newest) => {
    const { start, held } = await build();
    held.body = JSON.stringify(entries.map((address, i) => ({ address, date: dates[i] })));
    held.changed = changed;
    expect((await start().look()).lists).toMatchObject([{ newest_entry: newest, entries: 10 }]);
  });

  it("in files are as new as the file", async () => {
    const path = join(tempDir(), "own.txt");
    writeFileSync(path, `${drainer}\n`);
    utimesSync(path, 1_700_000_000, 1_700_000_000);
    const { start } = await build({ at: [path, join(tempDir(), "missing.txt")] });
    expect((await start().look()).lists).toMatchObject([{ newest_entry: "2023-11-14" }, { newest_entry: null }]);
  });

  it.each([
    ["no newer than is known of them", known.entries, known.newest_entry],
    ["newer than that, when they have grown", known.entries + 1, "2026-01-01"],
  ])("that are known not to be kept up are %s", async (_name, number, newest) => {
    const body = JSON.stringify({ address: Array.from({ length: number }, (_, i) => someone(`drainer ${i}`)) });
    vi.stubGlobal("fetch", async () => new Response(body));
    onTestFinished(() => void vi.unstubAllGlobals());
    const { start } = await build({ at: [known.at] });
    expect((await start().look()).lists).toMatchObject([{ newest_entry: newest, entries: number }]);
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

  it("are unavailable until the first snapshot came, and the next question sees it", async () => {
    const { start, server } = await build();
    server.fault = "500";
    const { look } = start();
    for (let question = 0; question < 2; question++)
      expect(await look()).toMatchObject({
        ...{ status: "unavailable", hits: [], lists: [{ snapshot_time: null, stale: true }] },
      });
    server.fault = null;
    expect(await look()).toMatchObject({ status: "found", lists: [{ stale: false }] });
  });

  it("are asked for at once by all who miss them, and by those with an old one at most once a second", async () => {
    const { start, server, clock } = await build();
    server.fault = "500";
    const { look, refresh } = start();
    await Promise.all([look(), look(), look()]);
    expect(server.visits).toHaveLength(1);
    server.fault = null;
    await look();
    clock.time += 6 * hour;
    server.fault = "500";
    await refresh();
    expect(server.visits).toHaveLength(3);
    server.fault = null;
    clock.time += 999;
    expect((await look()).lists).toMatchObject([{ stale: true }]);
    clock.time += 1;
    expect((await look()).lists).toMatchObject([{ stale: false }]);
    expect(server.visits).toHaveLength(4);
  });

  it("that have a snapshot make nobody wait long for a server that does not answer", async () => {
    const { start, server, clock } = await build({ timeoutMs: 60_000 });
    const { look, refresh } = start();
    await look();
    clock.time += 6 * hour;
    server.fault = "500";
    await refresh();
    server.fault = "slow";
    clock.time += 1_000;
    expect(await look(undefined, 60_000)).toMatchObject({ status: "found", lists: [{ stale: true }] });
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
