import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** Milliseconds between two checks whether a replica is ready. */
const checkMs = 100;

/**
 * Number of checks without an answer in a row after which a replica is taken out. A replica that says that it is not ready is taken out at
 * once.
 */
const fall = 3;

/** A plain reverse proxy, as it is in front of replicas. */
export interface PlainProxy {
  url: string;
  /** Ports of the replicas that get requests. */
  ready(): readonly number[];
  close(): void;
}

/**
 * Passes each request to one of the replicas for which GET /readyz says that they are ready, in turn, over connections that stay open. It
 * never sends a request twice: when the replica fails, the caller gets 502.
 */
export async function startPlainProxy(ports: readonly number[]): Promise<PlainProxy> {
  const agent = new Agent({ keepAlive: true, maxFreeSockets: 1_000 });
  let ready: readonly number[] = [];
  let turn = 0;

  const server = createServer((incoming, response) => {
    const port = ready[turn++ % ready.length];
    if (port === undefined) return void refuse(response, 503);
    const { method, url: path, headers } = incoming;
    const passed = request({ host: "127.0.0.1", port, method, path, headers, agent });
    passed.on("response", (answer) => giveBack(answer, response));
    passed.on("error", () => refuse(response, 502));
    incoming.pipe(passed);
  });

  const silences = new Map(ports.map((port) => [port, fall]));
  const check = async (port: number) => {
    const said = await askReady(port);
    const before = silences.get(port) ?? fall;
    silences.set(port, { ready: 0, "not ready": fall, silent: before + 1 }[said]);
    ready = ports.filter((one) => (silences.get(one) ?? fall) < fall);
  };
  const checking = setInterval(() => {
    for (const port of ports) void check(port);
  }, checkMs);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ready: () => ready,
    close() {
      clearInterval(checking);
      server.closeAllConnections();
      server.close();
      agent.destroy();
    },
  };
}

function giveBack(answer: IncomingMessage, response: ServerResponse): void {
  // The connection to the caller belongs to the proxy, so what the replica says about its own connection is not passed on.
  const { connection: _connection, "keep-alive": _keepAlive, ...headers } = answer.headers;
  response.writeHead(answer.statusCode ?? 502, headers);
  answer.on("error", () => response.destroy());
  answer.pipe(response);
}

function refuse(response: ServerResponse, status: number): void {
  if (response.headersSent) response.destroy();
  else response.writeHead(status).end();
}

function askReady(port: number): Promise<"ready" | "not ready" | "silent"> {
  return fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(1_000) }).then(
    async (response) => {
      await response.body?.cancel();
      return response.status === 200 ? "ready" : "not ready";
    },
    () => "silent",
  );
}
