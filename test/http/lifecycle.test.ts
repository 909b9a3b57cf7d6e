import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { Agent, type IncomingMessage, request } from "node:http";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { afterEach, describe, expect, it } from "vitest";
import { hashOf } from "../support/sample.ts";
import { root } from "../support/shared.ts";

const started: ChildProcess[] = [];
afterEach(() => {
  for (const child of started.splice(0)) child.kill("SIGKILL");
});

/** Starts a server whose gathering waits for `release`; `next` reads one line of its output. */
async function startDoor(graceMs: number) {
  const child = spawn(process.execPath, [join(root, "test/support/server-process.ts"), String(graceMs)], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  started.push(child);
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const next = async () => (await lines.next()).value as string;
  return { child, next, url: await next(), release: () => child.stdin.write("go\n") };
}

/** One POST /explain over a keep-alive connection. */
function post(url: string, agent: Agent): Promise<IncomingMessage> {
  const headers = { "content-type": "application/json" };
  const sent = request(`${url}/explain`, { agent, method: "POST", headers });
  sent.end(JSON.stringify({ tx_hash: hashOf(1) }));
  return once(sent, "response").then(([response]) => response as IncomingMessage);
}

describe.each(["SIGTERM", "SIGINT"] as const)("%s", (signal) => {
  it("lets a request in flight finish, closes its connection and the idle ones, and exits with 0", async () => {
    const { child, next, url, release } = await startDoor(10_000);
    const agent = new Agent({ keepAlive: true });
    const idle = new Agent({ keepAlive: true });
    const health = request(`${url}/healthz`, { agent: idle }).end();
    const [healthy] = (await once(health, "response")) as [IncomingMessage];
    await text(healthy);
    const answered = post(url, agent);
    expect(await next()).toBe("gathering");

    child.kill(signal);
    // New connections are refused from now on; when that is seen the stop has begun.
    await expect(refused(url)).resolves.toBe(true);
    release();

    const response = await answered;
    expect(response.statusCode).toBe(200);
    expect(JSON.parse(await text(response)).tx_hash).toBe(hashOf(1));
    const exited = once(child, "exit");
    expect(await next()).toBe("clean");
    expect(await exited).toEqual([0, null]);
  });
});

describe("a stop that takes too long", () => {
  it("cuts off what is left after the grace time", async () => {
    const { child, next, url } = await startDoor(50);
    const answered = post(url, new Agent()).catch((error: Error) => error);
    expect(await next()).toBe("gathering");
    child.kill("SIGTERM");
    expect(await next()).toBe("cut off");
    expect(await answered).toBeInstanceOf(Error);
  });

  it("cuts off at once on a second signal", async () => {
    const { child, next, url } = await startDoor(3_600_000);
    const answered = post(url, new Agent()).catch((error: Error) => error);
    expect(await next()).toBe("gathering");
    child.kill("SIGTERM");
    await refused(url);
    child.kill("SIGTERM");
    expect(await next()).toBe("cut off");
    expect(await answered).toBeInstanceOf(Error);
  });
});

/** Tries new connections until one is refused. */
async function refused(url: string): Promise<boolean> {
  for (;;) {
    const attempt = request(`${url}/healthz`, { agent: new Agent() }).end();
    const outcome = await Promise.race([once(attempt, "response"), once(attempt, "error")]).catch((error) => [error]);
    if (outcome[0] instanceof Error) return true;
    (outcome[0] as IncomingMessage).resume();
  }
}
