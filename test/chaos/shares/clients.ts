import { Agent, type RequestOptions, request } from "node:http";
import { sleep } from "../world/progress.ts";
import type { Replica } from "../world/replica.ts";

/** What a client heard. Status 0: the connection ended. */
export interface Heard {
  status: number;
  ms: number;
}

/** Asks for one transaction in the name of a client, as the proxy of this machine does. */
export function explain({ port }: Replica, hash: string, client: string): Promise<Heard> {
  const body = JSON.stringify({ tx_hash: hash });
  const headers = { "content-type": "application/json", "x-forwarded-for": client, "content-length": body.length };
  return send({ port, path: "/explain", method: "POST", headers, agent: new Agent() }, body);
}

export function send(options: RequestOptions, body = ""): Promise<Heard> {
  const started = performance.now();
  const done = (status: number): Heard => ({ status, ms: performance.now() - started });
  return new Promise((resolve) => {
    const asked = request({ host: "127.0.0.1", ...options }, (response) => {
      response.resume().once("end", () => resolve(done(response.statusCode ?? 0)));
    });
    asked.once("error", () => resolve(done(0)));
    asked.end(body);
  });
}

/** The value below which 95 of 100 lie. */
export function p95(values: readonly number[]): number {
  const sorted = [...values].sort((left, right) => left - right);
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * 0.95))] ?? 0);
}

/** Looks at a replica until it is told to stop. */
export function watch(replica: Replica) {
  const health: number[] = [];
  let rss = 0;
  let on = true;
  const watching = (async () => {
    while (on) {
      health.push((await send({ port: replica.port, path: "/healthz" })).ms);
      rss = Math.max(rss, replica.memory());
      await sleep(100);
    }
  })();
  return async () => {
    on = false;
    await watching;
    return { healthMs: p95(health), rss };
  };
}
