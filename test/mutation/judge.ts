import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Change, withChange } from "./change.ts";
import type { Order, Verdict } from "./host.ts";
import { CacheGuard } from "./tree.ts";

/** Makes changes in a copy of the tree, one at a time, and lets tests judge them. */
export class Judge {
  readonly #tree: string;
  readonly #caches: CacheGuard;
  /** Files whose old text is back, which the host does not know yet. */
  readonly #stale = new Set<string>();
  #host: ChildProcess | undefined;

  constructor(tree: string) {
    this.#tree = tree;
    this.#caches = new CacheGuard(tree);
  }

  /** Runs tests without a change. What fails now cannot notice anything. Fills the caches of the product. */
  async warmUp(tests: readonly string[], seconds: number): Promise<Verdict> {
    const verdict = await this.#ask(tests, seconds);
    this.#caches.keep();
    return verdict;
  }

  /** The first test that fails with the change. A change that makes them run longer than `seconds` is noticed, too. */
  async judge(change: Change, tests: readonly string[], seconds: number): Promise<Verdict> {
    const path = join(this.#tree, change.path);
    const text = readFileSync(path, "utf8");
    writeFileSync(path, withChange(text, change));
    this.#stale.add(change.path);
    try {
      return await this.#ask(tests, seconds);
    } finally {
      writeFileSync(path, text);
      this.#caches.restore();
      this.#stale.add(change.path);
    }
  }

  /** Stops the host and what it started. */
  async close(): Promise<void> {
    const host = this.#host;
    this.#host = undefined;
    if (host?.pid === undefined || host.exitCode !== null) return;
    const ended = once(host, "exit");
    process.kill(-host.pid, "SIGKILL");
    await ended;
  }

  async #ask(tests: readonly string[], seconds: number): Promise<Verdict> {
    if (tests.length === 0) return { noticed: null, took: {} };
    this.#host ??= await openHost(this.#tree);
    const host = this.#host;
    const until = AbortSignal.timeout(seconds * 1000);
    try {
      host.send({ stale: [...this.#stale], tests: [...tests] } satisfies Order);
      this.#stale.clear();
      const ended = once(host, "exit", { signal: until }).then(() => ["the tests' process ended"]);
      const [verdict] = await Promise.race([once(host, "message", { signal: until }), ended]);
      if (typeof verdict === "object") return verdict as Verdict;
      this.#host = undefined;
      return { noticed: String(verdict), took: {} };
    } catch (error) {
      if (!until.aborted) throw error;
      await this.close();
      return { noticed: `tests ran longer than ${seconds} s`, took: {} };
    }
  }
}

async function openHost(tree: string): Promise<ChildProcess> {
  const entry = join(dirname(fileURLToPath(import.meta.url)), "host.ts");
  // A group of its own, so that stopping it stops the processes of its tests.
  const host = fork(entry, [tree], { cwd: tree, detached: true, stdio: ["ignore", "ignore", "inherit", "ipc"] });
  await once(host, "message");
  return host;
}
