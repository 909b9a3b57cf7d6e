import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { freePort } from "../../support/anvil.ts";
import { root } from "../../support/shared.ts";
import { send } from "../world/buyer.ts";
import { startEndpoint } from "../world/endpoint.ts";
import { waitUntil } from "../world/progress.ts";
import { unknownHash } from "../world/recorded-node.ts";
import { exactly, info, type Report, tally } from "../world/table.ts";
import type { World } from "../world/world.ts";

const requests = 600;

/** The program that reads the log ends, or stops reading until the pipe is full. The service must go on. */
export async function* loseLogReader(world: World): AsyncIterable<Report> {
  for (const manner of ["goes away", "stands still"] as const) {
    const endpoint = await startEndpoint(world.chain.url);
    const port = await freePort();
    // Every answer is 503, and every 503 is a line.
    endpoint.watch = () => "http500";
    const child = start({ RPC_URLS: endpoint.url, PORT: String(port), LOG_LEVEL: "debug" });
    const url = `http://127.0.0.1:${port}`;
    await waitUntil(async () => (await fetch(`${url}/openapi.json`).catch(() => undefined))?.ok ?? false, 20_000);
    if (manner === "goes away") child.stderr?.destroy();
    const statuses: string[] = [];
    for (let nth = 0; nth < requests && child.exitCode === null; nth++) {
      const signal = AbortSignal.timeout(5_000);
      const { status } = await send(url, { product: "explain", hash: unknownHash() }, { signal });
      statuses.push(String(status));
      if (status === 0) break;
    }
    const ends = () => child.exitCode !== null || child.signalCode !== null;
    // A process that is about to end needs a moment for it.
    const isAlive = statuses.length === requests || !(await waitUntil(ends, 2_000));
    child.kill("SIGKILL");
    endpoint.close();
    yield {
      title: `the reader of the log ${manner}`,
      rows: [
        info("replies", tally(statuses)),
        exactly("requests that were answered", statuses.filter((status) => status !== "0").length, requests),
        exactly("the process lives", isAlive ? "yes" : "no", "yes"),
      ],
    };
  }
}

/** Its stderr is a pipe that nobody reads. */
function start(env: Record<string, string>): ChildProcess {
  // One client asks for everything.
  const unlimited = { RATE_LIMIT_PER_MINUTE: "0", OPEN_CALLS_PER_MINUTE: "0", GATHERINGS_PER_CLIENT: "0" };
  const offline = {
    HOST: "127.0.0.1",
    BLOCKSCOUT_URL: "",
    PRICES_URL: "",
    LOOKUPS: "off",
    DRAINER_LISTS: "",
    RECORDINGS_DIR: "",
  };
  const child = spawn(process.execPath, [join(root, "src/main.js")], {
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...offline, ...unlimited, ...env },
    stdio: ["ignore", "ignore", "pipe"],
  });
  process.once("exit", () => child.kill("SIGKILL"));
  return child;
}
