import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openDrainerLists } from "../../../src/gather/network/drainers/drainer-lists.ts";
import type { Address } from "../../../src/kernel/address.ts";
import { someone } from "../../engine/assess/scene.ts";
import { findShared } from "../../support/shared.ts";
import { build, drainer, entries, hour, tempDir } from "./listed-drainers.ts";

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

  it.each([0, 1])("are read up to 64 MiB, %d bytes more", async (more) => {
    const { start, held } = await build({ timeoutMs: 60_000 });
    held.body = JSON.stringify(entries).padEnd(64 * 1024 * 1024 + more);
    expect((await start().look(undefined, 60_000)).status === "found").toBe(more === 0);
  });

  it.each([203, 404, 500])("take nothing from an answer of status %d, no matter what it holds", async (status) => {
    const { start, held } = await build();
    held.status = status;
    expect((await start().look()).status).not.toBe("found");
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

  it("make no caller wait for a server that does not answer", async () => {
    const { start, server } = await build();
    server.fault = "slow";
    const lists = start();
    expect(await lists.look([drainer], 30)).toMatchObject({ status: "unavailable" });
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
});
