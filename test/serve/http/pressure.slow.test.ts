import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { afterEach, describe, expect, it, onTestFinished } from "vitest";
import { type MainProcess, startMain } from "../../support/main-process.ts";
import { both, callOf } from "../../support/mcp-message.ts";
import { hashOf } from "../../support/sample.ts";

const started: ChildProcess[] = [];
afterEach(() => {
  for (const child of started.splice(0)) child.kill("SIGKILL");
});

/**
 * An endpoint that accepts every request and never answers. It emits `asked` when a request for a transaction comes, and `left` when that
 * request ends.
 */
async function startHanging() {
  const open = new Set<Socket>();
  const state = { url: "", open, most: 0, server: createServer() };
  state.server.on("connection", (socket: Socket) => {
    open.add(socket.on("error", () => {}));
    state.most = Math.max(state.most, open.size);
    socket.once("close", () => open.delete(socket));
    socket.on("data", (data) => {
      if (!data.includes("eth_getTransactionByHash")) return;
      state.server.emit("asked");
      socket.once("close", () => state.server.emit("left"));
    });
  });
  state.server.listen(0, "127.0.0.1");
  await once(state.server, "listening");
  state.url = `http://127.0.0.1:${(state.server.address() as { port: number }).port}`;
  onTestFinished(() => {
    for (const socket of open) socket.destroy();
    state.server.close();
  });
  return state;
}

async function serve(url: string, env: Record<string, string>): Promise<MainProcess> {
  const unlimited = { RATE_LIMIT_PER_MINUTE: "0", OPEN_CALLS_PER_MINUTE: "0", GATHERINGS_PER_CLIENT: "0" };
  const main = await startMain({ RECORDINGS_DIR: "", RPC_URLS: url, RPC_TIMEOUT_MS: "60000", ...unlimited, ...env });
  started.push(main.child);
  return main;
}

const explain = async (main: MainProcess, number: number, signal?: AbortSignal) => {
  const response = await fetch(`${main.url}/explain`, {
    ...{ method: "POST", headers: { "content-type": "application/json" }, ...(signal && { signal }) },
    body: JSON.stringify({ tx_hash: hashOf(number) }),
  });
  const { error } = (await response.json()) as { error: string };
  return { status: response.status, error, retryAfter: Number(response.headers.get("retry-after")) };
};

/** Sends this many different transactions at once. `ended` holds those that were answered; `leave` ends the wait of the others. */
function sendMany(main: MainProcess, count: number) {
  const gone = new AbortController();
  const ended: Awaited<ReturnType<typeof explain>>[] = [];
  let wake = () => {};
  const all = Array.from({ length: count }, async (_, number) => {
    ended.push(await explain(main, number, gone.signal));
    wake();
  });
  return {
    ended,
    reach: (wanted: number) =>
      new Promise<void>((resolve) => {
        wake = () => (ended.length >= wanted ? resolve() : undefined);
        wake();
      }),
    leave: () => {
      gone.abort();
      return Promise.allSettled(all);
    },
  };
}

const readCounts = async (main: MainProcess) =>
  ((await (await fetch(`${main.url}/healthz`)).json()) as { explanations: Record<string, number> }).explanations;

describe("an endpoint that hangs under 500 different transactions", () => {
  const patient = { DEADLINE_MS: "60000" };

  it("holds 20 sockets at most; 20 wait, and everybody else is refused at once", async () => {
    const endpoint = await startHanging();
    const main = await serve(endpoint.url, { ...patient, GATHERINGS_MAX: "20", GATHERINGS_WAITING: "20" });
    const many = sendMany(main, 500);
    await many.reach(460);
    // No deadline has passed yet: these were refused at once, and the others still wait.
    for (const answer of many.ended) expect(answer).toEqual({ status: 503, error: "overloaded", retryAfter: 5 });
    expect(await readCounts(main)).toEqual({ success: 0, reverted: 0, overloaded: 460 });
    // Two more ask at the start: for the newest block, and whether the endpoint is of the right chain.
    expect(endpoint.most).toBeLessThanOrEqual(22);
    await many.leave();
    expect(many.ended).toHaveLength(460);
  });

  it("opens no more sockets to an endpoint than it may", async () => {
    const endpoint = await startHanging();
    const bounds = { GATHERINGS_MAX: "50", GATHERINGS_WAITING: "0", ENDPOINT_SOCKETS: "5" };
    const main = await serve(endpoint.url, { ...patient, ...bounds });
    const many = sendMany(main, 51);
    await many.reach(1);
    // Fifty are worked on, because the last one found no place.
    expect(many.ended[0]?.error).toBe("overloaded");
    await readCounts(main);
    expect(endpoint.most).toBeLessThanOrEqual(6);
    await many.leave();
  });

  it("answers everybody whose time is up", async () => {
    const endpoint = await startHanging();
    const bounds = { GATHERINGS_MAX: "20", GATHERINGS_WAITING: "20", DEADLINE_MS: "400" };
    const main = await serve(endpoint.url, bounds);
    const many = sendMany(main, 40);
    await many.reach(40);
    expect(new Set(many.ended.map(({ status }) => status))).toEqual(new Set([503]));
    expect(many.ended.some(({ error }) => error === "upstream_unavailable")).toBe(true);
  });
});

describe("a caller that goes away", () => {
  it.each(["/explain", "/mcp"])("gives its place at %s to the next one", async (path) => {
    const endpoint = await startHanging();
    const bounds = { GATHERINGS_MAX: "1", GATHERINGS_WAITING: "0", DEADLINE_MS: "60000" };
    const main = await serve(endpoint.url, bounds);
    const gone = new AbortController();
    const body = path === "/mcp" ? callOf() : { tx_hash: hashOf(1) };
    const asked = once(endpoint.server, "asked");
    const first = fetch(`${main.url}${path}`, {
      ...{ method: "POST", headers: both, body: JSON.stringify(body), signal: gone.signal },
    });
    first.catch(() => {});
    await asked;
    expect(await explain(main, 2)).toMatchObject({ status: 503, error: "overloaded" });
    const left = once(endpoint.server, "left");
    gone.abort();
    await left;
    // The second one is worked on now: the endpoint hears of it.
    const again = once(endpoint.server, "asked");
    const second = new AbortController();
    explain(main, 2, second.signal).catch(() => {});
    await again;
    second.abort();
    // The first caller had left and read no answer, so it does not count as an outage.
    expect((await readCounts(main)).upstream_unavailable).toBeUndefined();
  });
});
