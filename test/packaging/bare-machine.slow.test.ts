import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { createInterface } from "node:readline";
import { stripVTControlCharacters } from "node:util";
import { afterAll, describe, expect, it } from "vitest";
import { root } from "../support/shared.ts";

/** A machine as a new user has it: a PATH of node, npm, git and a shell, an empty home, and no setting but these. */
const dir = mkdtempSync(join(tmpdir(), "txgloss-bare-"));
const checkout = join(dir, "txgloss");
for (const name of ["bin", "home"]) mkdirSync(join(dir, name));
const ownPath = (process.env.PATH ?? "").split(delimiter).filter((place) => !place.includes("node_modules"));
for (const name of ["node", "npm", "git", "sh"]) {
  const place = ownPath.map((folder) => join(folder, name)).find((path) => existsSync(path));
  if (place !== undefined) symlinkSync(place, join(dir, "bin", name));
}
const [npm, git] = [join(dir, "bin/npm"), join(dir, "bin/git")];
/** npm may take from its cache what it fetched for somebody else: that spares the registry, and decides nothing. */
const cache = spawnSync(npm, ["config", "get", "cache"], { encoding: "utf8" }).stdout.trim();
const env = {
  PATH: join(dir, "bin"),
  HOME: join(dir, "home"),
  ...{ npm_config_cache: cache, npm_config_prefer_offline: "true" },
  ...{ NODE_ENV: "production", PORT: "0", RPC_URLS: "http://127.0.0.1:9", LOOKUPS: "off" },
};

/** Two installations are taken away: a slow disk takes its time. */
afterAll(() => rmSync(dir, { recursive: true, force: true }), 600_000);

/** Megabytes on the disk. */
function sizeOf(folder: string): number {
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" });
  return paths.reduce((sum, path) => sum + lstatSync(join(folder, path)).blocks * 512, 0) / 2 ** 20;
}

describe("on a machine with node, npm, git and a shell", { timeout: 900_000 }, () => {
  it("npm start serves in a fresh clone, in 350 MB, without packages for tests", async () => {
    execFileSync(git, ["clone", "--quiet", root, checkout], { env });
    const child = spawn(npm, ["start"], { cwd: checkout, env, stdio: ["ignore", "pipe", "inherit"], detached: true });
    try {
      const url = await addressOf(child.stdout);
      const [recorded = ""] = readdirSync(join(checkout, "test/transactions"));
      const headers = { "content-type": "application/json" };
      const body = JSON.stringify({ tx_hash: recorded.replace(".json", "") });
      const response = await fetch(`${url}/explain`, { method: "POST", headers, body });
      expect([response.status, Object.keys((await response.json()) as object)]).toEqual([
        200,
        expect.arrayContaining(["summary", "checks"]),
      ]);
    } finally {
      process.kill(-(child.pid as number), "SIGTERM");
      await once(child, "exit");
    }
    const modules = join(checkout, "node_modules");
    for (const name of ["vitest", "typescript-compiler", "playwright-core"])
      expect(existsSync(join(modules, name)), name).toBe(false);
    const size = sizeOf(modules);
    console.log(`Installed: ${size.toFixed(0)} MB.`);
    expect(size).toBeLessThan(350);
  });

  it("npm test installs the rest and runs", () => {
    const { status, stdout, stderr } = spawnSync(npm, ["test", "--", "test/kernel"], {
      cwd: checkout,
      env,
      encoding: "utf8",
    });
    expect(status, `${stdout}${stderr}`).toBe(0);
    expect(stripVTControlCharacters(stdout)).toMatch(/Tests +\d+ passed/);
  });
});

async function addressOf(stdout: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface(stdout)) {
    const [url] = /http:\/\/[\d.:]+/.exec(line) ?? [];
    if (url !== undefined) return url;
  }
  throw new Error("the service ended before it told its address");
}
