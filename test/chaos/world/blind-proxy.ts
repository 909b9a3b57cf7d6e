import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A proxy that never asks whether a replica is ready. It uses the replicas in turn, over connections that stay open. */
export interface BlindProxy {
  url: string;
  /** Ports of the replicas that get requests: all of them, always. */
  ready(): readonly number[];
  close(): void;
}

/**
 * The proxy has no health checks. It skips a replica that refuses a connection, because then nothing was sent. Every other failure gives
 * 502, since a proxy must not send a POST twice.
 */
export async function startBlindProxy(ports: readonly number[]): Promise<BlindProxy> {
  const agent = new Agent({ keepAlive: true, maxSockets: 256 });
  let turn = 0;
  const server = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const first = turn++;
    const order = ports.map((_port, nth) => ports[(first + nth) % ports.length]!);
    pass(incoming, { outgoing, agent, body: Buffer.concat(chunks), ports: order });
  });
  server.keepAliveTimeout = 120_000;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ready: () => ports,
    close() {
      server.closeAllConnections();
      server.close();
      agent.destroy();
    },
  };
}

interface Passage {
  outgoing: ServerResponse;
  agent: Agent;
  body: Buffer;
  ports: readonly number[];
}

function pass(incoming: IncomingMessage, { outgoing, agent, body, ports }: Passage): void {
  const [port, ...others] = ports;
  const { connection: _hop, "transfer-encoding": _coding, ...headers } = incoming.headers;
  const all = { ...headers, "content-length": body.length };
  const method = incoming.method ?? "GET";
  const upstream = request({ host: "127.0.0.1", port, method, path: incoming.url, agent, headers: all });
  upstream.on("response", (response) => {
    const { connection: _ours, "keep-alive": _time, ...told } = response.headers;
    outgoing.writeHead(response.statusCode ?? 502, told);
    response.pipe(outgoing);
    response.on("error", () => outgoing.destroy());
  });
  upstream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "ECONNREFUSED" && others.length > 0) {
      pass(incoming, { outgoing, agent, body, ports: others });
      return;
    }
    if (outgoing.headersSent) outgoing.destroy();
    else outgoing.writeHead(502).end(`${error.code ?? error.message} (${upstream.reusedSocket ? "kept" : "new"})`);
  });
  upstream.end(body);
}
