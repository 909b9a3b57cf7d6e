import { execFileSync } from "node:child_process";
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { sleep } from "../world/progress.ts";
import type { Random } from "../world/random.ts";
import { type Report, skipped } from "../world/table.ts";
import type { World } from "../world/world.ts";
import { crowdEnv, survive } from "./survive.ts";

const lockedMs = 12_000;
/** Milliseconds that /healthz may take on a busy machine. */
const healthMs = 1_000;

/** Another program, such as a backup, holds the write lock of the ledger. Only writes may wait for it. */
export async function lockLedger(world: World, random: Random): Promise<Report> {
  const shop = await world.startShop({ ledger: "sqlite", replicas: 1, env: crowdEnv });
  return survive(world, {
    ...{ title: `SQLite is locked by another program for ${lockedMs / 1000} s`, shop, random, healthMs },
    async happen() {
      const other = new DatabaseSync(join(shop.place, "ledger.sqlite"), { timeout: 0 });
      // The lock is only tried now and then, because waiting for it would block the run.
      while (!tryLock(other)) await sleep(5);
      await sleep(lockedMs);
      other.exec("ROLLBACK");
      other.close();
    },
  });
}

function tryLock(database: DatabaseSync): boolean {
  try {
    database.exec("BEGIN IMMEDIATE");
    return true;
  } catch {
    return false;
  }
}

/** The disk of the ledger is full for four seconds. */
export async function fillDisk(world: World, random: Random): Promise<Report> {
  const title = "the disk of SQLite is full for 4 s";
  const dir = join(world.dir, "small-disk");
  mkdirSync(dir);
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=24m", "tmpfs", dir], { stdio: "ignore" });
  } catch {
    return { title, rows: [skipped(title, "needs the right to mount a tmpfs")] };
  }
  const unmount = () => execFileSync("umount", ["-l", dir], { stdio: "ignore" });
  process.once("exit", unmount);
  try {
    const shop = await world.startShop({ ledger: "sqlite", replicas: 1, place: join(dir, "data"), env: crowdEnv });
    return await survive(world, {
      ...{ title, shop, random },
      async happen() {
        const fill = join(dir, "fill");
        fillUp(fill);
        await sleep(4_000);
        rmSync(fill);
      },
    });
  } finally {
    process.removeListener("exit", unmount);
    unmount();
  }
}

/** Writes until nothing fits any more. */
function fillUp(path: string): void {
  const file = openSync(path, "w");
  for (let size = 1 << 20; size >= 1; size = Math.floor(size / 16)) {
    try {
      for (;;) writeSync(file, Buffer.alloc(size));
    } catch {
      // A smaller piece may still fit.
    }
  }
  closeSync(file);
}
