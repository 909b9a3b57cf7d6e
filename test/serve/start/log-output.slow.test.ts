import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, openSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { PassThrough } from "node:stream";
import { afterEach, describe, expect, it } from "vitest";
import { createLogOutput, type LogStream } from "../../../src/serve/start/log-output.ts";
import { startMain } from "../../support/main-process.ts";
import { hashOf } from "../../support/sample.ts";
import { root } from "../../support/shared.ts";

const started: ChildProcess[] = [];
afterEach(() => {
  for (const child of started.splice(0)) child.kill("SIGKILL");
});

async function startLogging({
  lines,
  waitingBytesMax,
  stderr,
}: {
  lines: number;
  waitingBytesMax: number;
  stderr: "pipe" | number;
}) {
  const args = [join(root, "test/support/log-process.ts"), String(lines), String(waitingBytesMax)];
  const child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", stderr] });
  started.push(child);
  const said = createInterface(child.stdout as NodeJS.ReadableStream)[Symbol.asyncIterator]();
  expect((await said.next()).value).toBe("ready");
  return {
    child,
    /** Writes all lines; how many were dropped. */
    async log(): Promise<number> {
      child.stdin?.write("go\n");
      return Number((await said.next()).value);
    },
  };
}

describe("a reader of the log", () => {
  it("that leaves ends nothing: the lines are dropped and counted", async () => {
    const { child, log } = await startLogging({ lines: 50, waitingBytesMax: 1_000_000, stderr: "pipe" });
    child.stderr?.destroy();
    await once(child.stderr as NodeJS.ReadableStream, "close");
    await log();
    expect(await log()).toBeGreaterThan(50);
    expect(child.exitCode).toBeNull();
  });

  it("that stands still makes nobody wait: what does not fit is dropped, and the gap is told later", async () => {
    const { child, log } = await startLogging({ lines: 500, waitingBytesMax: 50_000, stderr: "pipe" });
    child.stderr?.pause();
    const dropped = await log();
    expect(dropped).toBeGreaterThan(100);
    expect(dropped).toBeLessThan(500);
    const heard = createInterface(child.stderr as NodeJS.ReadableStream);
    let gap = 0;
    const read = (async () => {
      for await (const line of heard) gap += (JSON.parse(line) as { dropped?: number }).dropped ?? 0;
    })();
    child.stdin?.end("go\n");
    await read;
    expect(gap).toBeGreaterThanOrEqual(dropped);
  });

  it.skipIf(!existsSync("/dev/full"))("that is a full disk drops all lines", async () => {
    const { log } = await startLogging({ lines: 20, waitingBytesMax: 1_000_000, stderr: openSync("/dev/full", "w") });
    expect(await log()).toBe(20);
  });

  it("may break in any way", () => {
    const stream = new PassThrough() as unknown as LogStream;
    const output = createLogOutput(stream, 1_000);
    stream.write = () => {
      throw new Error("broken");
    };
    output.write("a\n");
    expect(output.dropped()).toBe(1);
  });
});

describe("the product", { timeout: 60_000 }, () => {
  it("goes on when the readers of its output leave, and counts the lines", async () => {
    const { child, url } = await startMain({ RECORDINGS_DIR: "", LOG_LEVEL: "info" });
    started.push(child);
    child.stderr?.destroy();
    child.stdout?.destroy();
    const headers = { "content-type": "application/json" };
    for (let n = 1; n <= 30; n++) {
      const response = await fetch(`${url}/explain`, {
        method: "POST",
        headers,
        body: JSON.stringify({ tx_hash: hashOf(n) }),
      });
      expect(response.status).toBe(503);
    }
    const metrics = await (await fetch(`${url}/metrics`)).text();
    expect(Number(/^txgloss_log_lines_dropped_total (\d+)$/m.exec(metrics)?.[1])).toBeGreaterThan(20);
    expect(child.exitCode).toBeNull();
  });
});
