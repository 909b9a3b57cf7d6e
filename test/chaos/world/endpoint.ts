import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { usdc } from "../../support/anvil.ts";
import { answerRecorded, type RpcCall } from "./recorded-node.ts";

/** What can go wrong with one call. An object replaces the node's answer. */
export type Fault = "cut" | "hang" | "http500" | { result: unknown } | { error: object };

/** Gets every call twice: before it goes to the node, and after the node answered. */
export type Watch = (call: RpcCall, moment: "before" | "after") => Fault | undefined | Promise<Fault | undefined>;

/** The JSON-RPC endpoint of one replica. */
export interface ChainEndpoint {
  url: string;
  watch: Watch | undefined;
  /** Milliseconds that every request waits. */
  delayMs: number;
  /** Connections that are open now. */
  connections: number;
  close(): void;
}

/** Answers about recorded transactions, passes everything else on to the test chain, and spoils what it is told to spoil. */
export async function startEndpoint(chainUrl: string): Promise<ChainEndpoint> {
  const server = createServer(async (request, response) => {
    try {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      if (endpoint.delayMs > 0) await new Promise((resolve) => setTimeout(resolve, endpoint.delayMs));
      const asked: RpcCall | RpcCall[] = JSON.parse(Buffer.concat(chunks).toString());
      const told = await answerAll([asked].flat(), { chainUrl, watch: endpoint.watch });
      if (typeof told === "string") spoil(response, told);
      else send(response, 200, Array.isArray(asked) ? told : told[0]);
    } catch (error) {
      if (!response.destroyed) send(response, 502, { error: String(error) });
    }
  });
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const endpoint: ChainEndpoint = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    watch: undefined,
    delayMs: 0,
    connections: 0,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
  server.on("connection", (socket) => {
    endpoint.connections++;
    socket.on("close", () => endpoint.connections--);
  });
  return endpoint;
}

type Answers = Extract<Fault, string> | object[];

async function answerAll(
  calls: RpcCall[],
  { chainUrl, watch }: { chainUrl: string; watch: Watch | undefined },
): Promise<Answers> {
  const answers: object[] = [];
  for (const call of calls) {
    const early = await watch?.(call, "before");
    if (typeof early === "string") return early;
    const answer = early ?? answerRecorded(call, usdc.toLowerCase()) ?? (await ask(chainUrl, call));
    const late = await watch?.(call, "after");
    if (typeof late === "string") return late;
    answers.push({ jsonrpc: "2.0", id: call.id, ...answer, ...late });
  }
  return answers;
}

async function ask(url: string, call: RpcCall): Promise<object> {
  const headers = { "content-type": "application/json" };
  const response = await fetch(url, { method: "POST", headers, body: JSON.stringify({ jsonrpc: "2.0", ...call }) });
  const { result, error } = (await response.json()) as { result?: unknown; error?: object };
  return error === undefined ? { result } : { error };
}

/** "hang" answers nothing and leaves the connection open. */
function spoil(response: ServerResponse, fault: Extract<Fault, string>): void {
  if (fault === "cut") response.destroy();
  if (fault === "http500") send(response, 500, { error: "out of order" });
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}
