import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { Agent, type IncomingMessage, request } from "node:http";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { afterEach, describe, expect, it } from "vitest";
import { hashOf } from "../../support/sample.ts";
import { compileSchema } from "../../support/schema.ts";
import { root } from "../../support/shared.ts";

const started: ChildProcess[] = [];
afterEach(() => {
  for (const child of started.splice(0)) child.kill("SIGKILL");
});

/** Starts a server whose gathering waits for `release`; `next` reads one line of its output. Times are milliseconds. */
async function startProcess({ drain, delay = 0 }: { drain: number; delay?: number }) {
  const path = join(root, "test/support/server-process.ts");
  const child = spawn(process.execPath, [path, String(drain), String(delay)], { stdio: ["pipe", "pipe", "inherit"] });
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

describe.each(["SIGTERM", "SIGINT"] as const)("%s", { timeout: 60_000 }, (signal) => {
  it("lets a request in flight finish, closes its connection and the idle ones, and exits with 0", async () => {
    const { child, next, url, release } = await startProcess({ drain: 10_000 });
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

describe("while it still takes connections", { timeout: 60_000 }, () => {
  it("is alive and not ready, and every response closes its connection, also of a request that came before", async () => {
    const { child, next, url, release } = await startProcess({ drain: 3_600_000, delay: 1_800_000 });
    const answered = post(url, new Agent({ keepAlive: true }));
    expect(await next()).toBe("gathering");
    const before = await fetch(`${url}/readyz`);
    expect([before.status, await before.json()]).toEqual([200, { ready: true, not_ready: [] }]);

    child.kill("SIGTERM");
    const gone = await untilNotReady(url);
    expect([gone.headers.get("connection"), Number(gone.headers.get("retry-after"))]).toEqual(["close", 2]);
    expect(await gone.json()).toEqual({ ready: false, not_ready: ["stopping"] });
    const health = await fetch(`${url}/healthz`);
    expect([health.status, health.headers.get("connection")]).toEqual([200, "close"]);
    expect(await health.json()).toMatchObject({ status: "ok", ready: false });

    release();
    const response = await answered;
    expect([response.statusCode, response.headers.connection]).toEqual([200, "close"]);
    response.resume();
    const late = await post(url, new Agent({ keepAlive: true }));
    expect([late.statusCode, late.headers.connection]).toEqual([200, "close"]);
    late.resume();
  });
});

describe("a stop that takes too long", { timeout: 60_000 }, () => {
  it("hurries the work, answers what is left with 503 and ends", async () => {
    const { child, next, url } = await startProcess({ drain: 50 });
    const answered = post(url, new Agent());
    expect(await next()).toBe("gathering");
    child.kill("SIGTERM");
    expect(await next()).toBe("hurry");
    expect(await next()).toBe("cut off");
    await expectRestarting(await answered);
  });

  it("does the same at once on a second signal", async () => {
    const { child, next, url } = await startProcess({ drain: 3_600_000, delay: 1_800_000 });
    const answered = post(url, new Agent());
    expect(await next()).toBe("gathering");
    child.kill("SIGTERM");
    await (await untilNotReady(url)).body?.cancel();
    child.kill("SIGTERM");
    expect(await next()).toBe("cut off");
    await expectRestarting(await answered);
  });
});

async function expectRestarting(response: IncomingMessage): Promise<void> {
  expect([response.statusCode, response.headers.connection]).toEqual([503, "close"]);
  expect(Number(response.headers["retry-after"])).toBeGreaterThan(0);
  const body = JSON.parse(await text(response));
  expect(body).toMatchObject({ error: "restarting", retryable: true });
  expect(compileSchema("error")(body)).toBe(true);
}

/** Asks until the answer is not 200. */
async function untilNotReady(url: string): Promise<Response> {
  for (;;) {
    const response = await fetch(`${url}/readyz`);
    if (response.status === 503) return response;
    await response.body?.cancel();
  }
}

/** Tries new connections until one is refused. */
async function refused(url: string): Promise<boolean> {
  for (;;) {
    const attempt = request(`${url}/healthz`, { agent: new Agent() }).end();
    const outcome = await Promise.race([once(attempt, "response"), once(attempt, "error")]).catch((error) => [error]);
    if (outcome[0] instanceof Error) return true;
    (outcome[0] as IncomingMessage).resume();
  }
}
