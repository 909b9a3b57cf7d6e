import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Change, withChange } from "./change.ts";
import type { Order, Verdict } from "./host.ts";
import { CacheGuard } from "./tree.ts";

/** The start of a verdict that no test gave, because the tests were stopped. */
export const silence = "no test file ended in";

/** Makes changes in a copy of the tree, one at a time, and lets tests judge them. */
export class Judge {
  readonly #tree: string;
  readonly #tier: "quick" | "all";
  readonly #caches: CacheGuard;
  /** Files that have their old text again, which the host does not know yet. */
  readonly #stale = new Set<string>();
  #host: ChildProcess | undefined;

  /** `tier`: the tests to choose from, those of `npm test` or all. */
  constructor(tree: string, tier: "quick" | "all" = "all") {
    this.#tree = tree;
    this.#tier = tier;
    this.#caches = new CacheGuard(tree);
  }

  /** Runs tests without a change. A test that fails here cannot notice a change. Also fills the caches of the product. */
  async warmUp(tests: readonly string[], seconds: number): Promise<Verdict> {
    const verdict = await this.#ask(tests, seconds);
    this.#caches.keep();
    return verdict;
  }

  /** The first test that fails with the change. If no test file ends for `seconds`, the change counts as noticed too. */
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
    this.#host ??= await openHost(this.#tree, this.#tier);
    const host = this.#host;
    host.send({ stale: [...this.#stale], tests: [...tests] } satisfies Order);
    this.#stale.clear();
    const verdict = await verdictOf(host, seconds);
    if (verdict === "ended") this.#host = undefined;
    if (verdict === "silent") await this.close();
    if (typeof verdict === "object") return verdict;
    const noticed = verdict === "ended" ? "the tests' process ended" : `${silence} ${seconds} s`;
    return { noticed, took: {} };
  }
}

/** The last message of the host; `silent` when it sent nothing for this many seconds, `ended` when it is gone. */
function verdictOf(host: ChildProcess, seconds: number): Promise<Verdict | "silent" | "ended"> {
  const { promise, resolve } = Promise.withResolvers<Verdict | "silent" | "ended">();
  const timer = setTimeout(() => resolve("silent"), seconds * 1000);
  const hear = (said: unknown) => (typeof said === "object" ? resolve(said as Verdict) : timer.refresh());
  const end = () => resolve("ended");
  host.on("message", hear).on("exit", end);
  return promise.finally(() => {
    clearTimeout(timer);
    host.off("message", hear).off("exit", end);
  });
}

async function openHost(tree: string, tier: string): Promise<ChildProcess> {
  const entry = join(dirname(fileURLToPath(import.meta.url)), "host.ts");
  // A process group of its own, so that stopping it also stops the processes of its tests.
  const host = fork(entry, [tree, tier], { cwd: tree, detached: true, stdio: ["ignore", "ignore", "inherit", "ipc"] });
  await once(host, "message");
  return host;
}
