import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { createServer } from "node:net";
import { createInterface } from "node:readline";
import { afterEach, describe, expect, it } from "vitest";
import { type MainProcess, startMain } from "../../support/main-process.ts";
import { hashOf } from "../../support/sample.ts";
import { compileSchema } from "../../support/schema.ts";
import { findShared } from "../../support/shared.ts";

const replay = findShared("tools/replay-rpc.mjs");
const corpus = findShared("corpus/tx");
const isExplanation = compileSchema("explanation");

const started: ChildProcess[] = [];
afterEach(() => {
  for (const child of started.splice(0)) child.kill("SIGKILL");
});

async function serve(env: Record<string, string>): Promise<MainProcess> {
  const main = await startMain({ RECORDINGS_DIR: "", ...env });
  started.push(main.child);
  return main;
}

async function post(main: MainProcess, hash: string) {
  const headers = { "content-type": "application/json" };
  const response = await fetch(`${main.url}/explain`, {
    method: "POST",
    headers,
    body: JSON.stringify({ tx_hash: hash }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: answers are compared by their fields.
  return { status: response.status, headers: response.headers, body: (await response.json()) as any };
}

describe("when every endpoint hangs", () => {
  it("answers 503 within the deadline and stays healthy", async () => {
    const silent = createServer((socket) => socket.on("error", () => {})).listen(0, "127.0.0.1");
    await once(silent, "listening");
    const url = `http://127.0.0.1:${(silent.address() as { port: number }).port}`;
    const main = await serve({
      RPC_URLS: `${url}/a,${url}/b`,
      BLOCKSCOUT_URL: url,
      RPC_TIMEOUT_MS: "5000",
      DEADLINE_MS: "600",
    });
    const began = performance.now();
    const asked = [post(main, hashOf(1)), post(main, hashOf(1)), post(main, hashOf(2))];
    const health = await fetch(`${main.url}/healthz`);
    expect(health.status).toBe(200);
    for (const { status, headers, body } of await Promise.all(asked)) {
      expect([status, body.error, body.retryable]).toEqual([503, "upstream_unavailable", true]);
      expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
    }
    // The deadline, and as much again for a busy machine.
    expect(performance.now() - began).toBeLessThan(2_000);
    expect((await fetch(`${main.url}/healthz`)).status).toBe(200);
    silent.close();
  });
});

describe.skipIf(replay === undefined || corpus === undefined)("with the shared corpus as the chain", () => {
  const hashes = () => readdirSync(String(corpus)).map((name) => name.replace(".json", ""));

  async function startReplay(...args: string[]): Promise<string> {
    const child = spawn(process.execPath, [String(replay), "--port", "0", ...args], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    started.push(child);
    const line = await createInterface(child.stdout)[Symbol.asyncIterator]().next();
    return JSON.parse(String(line.value)).url;
  }

  it.each(["garbage", "ratelimit", "http500", "null"])(
    "a first endpoint that answers %s does not matter",
    async (fault) => {
      const [bad, good] = await Promise.all([startReplay("--fault", fault), startReplay()]);
      const main = await serve({ RPC_URLS: `${bad},${good}`, BLOCKSCOUT_URL: good });
      for (const hash of hashes().slice(0, 3)) {
        const { status, body } = await post(main, hash);
        expect([status, isExplanation(body), isExplanation.errors]).toEqual([200, true, null]);
      }
    },
  );

  it("tells unknown from unreachable", async () => {
    const main = await serve({ RPC_URLS: await startReplay() });
    expect((await post(main, hashOf(1))).body).toMatchObject({ error: "transaction_not_found", retryable: true });
  });

  it("gives the same bytes to every request for one transaction, and every answer satisfies the schema", async () => {
    const url = await startReplay();
    const main = await serve({ RPC_URLS: url, BLOCKSCOUT_URL: url });
    for (const hash of hashes()) {
      const [first, second] = await Promise.all([post(main, hash), post(main, hash)]);
      expect(first.status, hash).toBe(200);
      expect(isExplanation(first.body), `${hash} ${JSON.stringify(isExplanation.errors)}`).toBe(true);
      expect(second.body).toEqual(first.body);
    }
  });
});
