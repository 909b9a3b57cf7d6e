import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { someone } from "../../engine/assess/scene.ts";
import { build, drainer, entries, hour, tempDir } from "./listed-drainers.ts";

describe("drainer lists on disk", () => {
  it("are kept with the address of their source, and taken from there alone when all of it is there", async () => {
    const { start, server, dir, clock } = await build();
    await start().look();
    const path = join(dir as string, readdirSync(dir as string)[0] as string);
    const kept = JSON.parse(readFileSync(path, "utf8"));
    expect(kept).toEqual({
      ...{ at: `${server.url}/list.json?key=secret`, etag: '"1"', taken: clock.time, newest: clock.time },
      checked: clock.time,
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
    for (const broken of [
      { at: "x" },
      { sha256: "x" },
      { addresses: [] },
      { taken: "x" },
      { newest: null },
      { checked: null },
    ])
      expect(await restored(broken)).toEqual([false, 1]);
    // A tag that is not text is left out. Then the whole list is asked for.
    expect(await restored({ etag: 5 })).toEqual([true, 0]);
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
});
