import { once } from "node:events";
import { Agent, createServer, type IncomingMessage, request } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { freePort } from "./anvil.ts";
import { type MainProcess, startMain } from "./main-process.ts";
import { startPlainProxy } from "./plain-proxy.ts";

export interface RollingRestart {
  /** Answers that were as they should be. */
  answered: number;
  /** What went wrong instead, with how often. */
  failed: Record<string, number>;
  /** Exit statuses of the stopped replicas. */
  exits: unknown[];
  /** Milliseconds from SIGTERM to the end, the longest. */
  slowestStop: number;
}

/**
 * Restarts two replicas of the product one after the other, `rounds` times, behind a plain proxy. Meanwhile the given number of clients
 * send requests without a pause over connections that stay open. No client repeats a request that failed.
 */
export async function restartUnderLoad({
  clients,
  rounds,
}: {
  clients: number;
  rounds: number;
}): Promise<RollingRestart> {
  const chain = await startSlowChain();
  const ports = [await freePort(), await freePort()];
  const start = (port: number) =>
    startMain({ ...unlimited, PORT: String(port), RPC_URLS: chain.url, DRAIN_DELAY_S: "1", LOG_LEVEL: "error" });
  const replicas: MainProcess[] = await Promise.all(ports.map(start));
  const proxy = await startPlainProxy(ports);
  const result: RollingRestart = { answered: 0, failed: {}, exits: [], slowestStop: 0 };
  const untilReady = async (count: number) => {
    while (proxy.ready().length !== count) await new Promise((resolve) => setImmediate(resolve));
  };
  await untilReady(2);

  const hash = /0x[0-9a-f]{64}/.exec(replicas[0]?.greeting ?? "")?.[0] ?? "";
  const stopped = new AbortController();
  const load = Array.from({ length: clients }, (_, index) =>
    ask({ url: proxy.url, hash, index, result }, stopped.signal),
  );
  for (let restart = 0; restart < rounds * 2; restart++) {
    const at = restart % 2;
    const began = performance.now();
    const { child } = replicas[at] as MainProcess;
    const exited = once(child, "exit");
    child.kill("SIGTERM");
    result.exits.push((await exited)[0]);
    result.slowestStop = Math.max(result.slowestStop, Math.round(performance.now() - began));
    await untilReady(1);
    replicas[at] = await start(ports[at] as number);
    await untilReady(2);
  }
  stopped.abort();
  await Promise.all(load);
  proxy.close();
  for (const { child } of replicas) child.kill("SIGKILL");
  chain.close();
  return result;
}

interface Asker {
  url: string;
  /** Of a recorded transaction. */
  hash: string;
  index: number;
  result: RollingRestart;
}

/** One client. It asks for the recorded transaction, and every fourth time for a transaction that does not exist. */
async function ask({ url, hash, index, result }: Asker, signal: AbortSignal): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  for (let turn = 0; !signal.aborted; turn++) {
    const unknown = turn % 4 === 3;
    const nobodys = `0x${(index * 1_000_000 + turn).toString(16).padStart(64, "f")}`;
    const outcome = await post(url, unknown ? nobodys : hash, agent).catch(
      (error: NodeJS.ErrnoException) => error.code,
    );
    if (outcome === (unknown ? "404 transaction_not_found" : "200")) result.answered++;
    else result.failed[String(outcome)] = (result.failed[String(outcome)] ?? 0) + 1;
  }
  agent.destroy();
}

/** The status and the error code. Errors of the proxy itself have no code. */
async function post(url: string, hash: string, agent: Agent): Promise<string> {
  const sent = request(`${url}/explain`, { agent, method: "POST", headers: { "content-type": "application/json" } });
  sent.end(JSON.stringify({ tx_hash: hash }));
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  const body = await text(response);
  return response.statusCode === 200 || body === ""
    ? `${response.statusCode}`
    : `${response.statusCode} ${JSON.parse(body).error}`;
}

/** An endpoint of the right chain that knows no transaction and answers slowly, so that there are always open requests. */
async function startSlowChain() {
  const server = createServer(async (incoming, response) => {
    const calls = JSON.parse(await text(incoming)) as { id: number; method: string }[];
    const answers = calls.map(({ id, method }) => ({
      jsonrpc: "2.0",
      id,
      result: method === "eth_chainId" ? "0x2105" : null,
    }));
    setTimeout(() => {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify(answers));
    }, answerMs);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

const answerMs = 150;

/** All clients share one address. */
const unlimited = { RATE_LIMIT_PER_MINUTE: "0", OPEN_CALLS_PER_MINUTE: "0", GATHERINGS_PER_CLIENT: "0" };
