import { type ChildProcess, spawn } from "node:child_process";
import { closeSync, openSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "../../support/anvil.ts";
import { root } from "../../support/shared.ts";
import { sleep } from "./progress.ts";

/** The product in a process of its own, which can be killed and started again at the same port. */
export type Replica = ReturnType<typeof createReplica>;

/**
 * Creates a replica without starting it. `port` must not be 0, because the port stays the same over restarts. A process that ends by itself
 * after it served is started again, as an operator's supervisor does.
 */
export function createReplica(options: { env: Record<string, string>; port: number; logFile: string }) {
  const { port, logFile } = options;
  const url = `http://127.0.0.1:${port}`;
  let child: ChildProcess | undefined;
  let gone: Promise<number | null> = Promise.resolve(null);
  let isWanted = false;
  const deaths: string[] = [];

  function launch(): void {
    const log = openSync(logFile, "a");
    const env = { PATH: process.env.PATH, HOME: process.env.HOME, ...quiet, ...options.env, PORT: String(port) };
    const started = spawn(process.execPath, [join(root, "src/main.js")], { env, stdio: ["ignore", log, log] });
    closeSync(log);
    gone = new Promise((resolve) => {
      started.once("exit", (code, signal) => {
        running.delete(started);
        if (child === started) child = undefined;
        if (isWanted) {
          deaths.push(`exit ${code ?? signal}: ${lastErrorOf(logFile)}`);
          setTimeout(() => isWanted && child === undefined && launch(), restartMs);
        }
        resolve(code);
      });
    });
    running.add(started);
    child = started;
  }

  return {
    url,
    port,
    env: options.env,
    /** How the process ended when nobody had ended it. */
    deaths,
    isRunning: () => child !== undefined,
    gone: () => gone,
    log: () => readFileSync(logFile, "utf8"),
    /** Starts the process and waits until it serves. Rejects with its log when it ends instead. */
    async start(): Promise<void> {
      // A killed process may need some time until it is gone.
      if (!isWanted) await gone;
      launch();
      for (const end = Date.now() + startMs; Date.now() < end; await sleep(30)) {
        if (child === undefined) throw new Error(`The service ended:\n${readFileSync(logFile, "utf8").slice(-2_000)}`);
        if (await serves(url)) {
          isWanted = true;
          return;
        }
      }
      throw new Error(`The service does not answer:\n${readFileSync(logFile, "utf8").slice(-2_000)}`);
    },
    /** Starts the process and waits for nothing. */
    launch,
    /** Ends the process. Gives its exit code; null when a signal ended it. */
    kill(signal: NodeJS.Signals = "SIGKILL"): Promise<number | null> {
      isWanted = false;
      child?.kill(signal);
      return gone;
    },
    /** Resident memory in MiB; NaN when it does not run. */
    memory: () => readMemory(child?.pid),
    /** Open files and sockets; NaN when it does not run. */
    files: () => countFiles(child?.pid),
  };
}

export async function newReplica(dir: string, name: string, env: Record<string, string>): Promise<Replica> {
  return createReplica({ env, port: await freePort(), logFile: join(dir, `${name}.log`) });
}

/** A machine that is busy with other things starts slowly. */
const startMs = 120_000;
const restartMs = 300;

/** Nothing outside this machine is asked. */
const quiet = {
  HOST: "127.0.0.1",
  BLOCKSCOUT_URL: "",
  PRICES_URL: "",
  SOURCIFY_URL: "",
  DRAINER_LISTS: "",
  DRAINER_DIR: "",
  LOOKUPS: "off",
  RECORDINGS_DIR: "",
  LOG_LEVEL: "warn",
};

const running = new Set<ChildProcess>();
process.once("exit", () => {
  for (const child of running) child.kill("SIGKILL");
});

function lastErrorOf(logFile: string): string {
  const lines = readFileSync(logFile, "utf8").split("\n");
  return lines.findLast((line) => /^\w*error\b/i.test(line)) ?? lines.at(-2) ?? "";
}

async function serves(url: string): Promise<boolean> {
  try {
    const response = await fetch(`${url}/openapi.json`, { signal: AbortSignal.timeout(2_000) });
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false;
  }
}

function readMemory(pid: number | undefined): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, "utf8");
    return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024);
  } catch {
    return Number.NaN;
  }
}

function countFiles(pid: number | undefined): number {
  try {
    return readdirSync(`/proc/${pid}/fd`).length;
  } catch {
    return Number.NaN;
  }
}
