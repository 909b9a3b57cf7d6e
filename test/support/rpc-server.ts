import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { listenForTest } from "./loopback.ts";

/** An error that one call of a batch is answered with. */
export class RpcFault extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

/** `drop`: the last call of a batch is not answered. `stall`: the headers come, the body does not. */
export type ServerFault = "hang" | "stall" | "http500" | "ratelimit" | "garbage" | "refuse-batch" | "drop";

export type RpcMethods = Record<string, (...params: never[]) => unknown>;

export interface RpcServerOptions {
  methods: RpcMethods;
  /** Answers GET requests, as an explorer does. */
  explorer?: (url: URL) => { status: number; body: unknown };
}

export interface RpcServer {
  url: string;
  /** Methods of each batch, in the order of arrival. */
  batches: string[][];
  /** Paths of GET requests, in the order of arrival. */
  visits: string[];
  /** The fault of every request from now on. A function gets the methods of each batch and decides for that batch. */
  fault: ServerFault | null | ((methods: string[]) => ServerFault | null);
}

/** A JSON-RPC server on this machine. It is closed when the test ends. A method that it does not have answers with the error -32601. */
export async function startRpcServer({ methods, explorer }: RpcServerOptions): Promise<RpcServer> {
  const state: RpcServer = { url: "", batches: [], visits: [], fault: null };
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? "/", "http://localhost");
    if (request.method === "GET") {
      state.visits.push(`${url.pathname}${url.search}`);
      const answer = explorer?.(url) ?? { status: 404, body: { message: "Not found" } };
      return send(response, answer.status, JSON.stringify(answer.body));
    }
    const calls = JSON.parse(await readBody(request)) as RpcRequest[];
    const names = calls.map(({ method }) => method);
    state.batches.push(names);
    const fault = typeof state.fault === "function" ? state.fault(names) : state.fault;
    answerBatch(response, { fault, answers: await Promise.all(calls.map((call) => answerCall(methods, call))) });
  });
  state.url = await listenForTest(server);
  return state;
}

interface RpcRequest {
  id: number;
  method: string;
  params: never[];
}

async function answerCall(methods: RpcMethods, { id, method, params }: RpcRequest): Promise<object> {
  try {
    const answer = methods[method];
    if (answer === undefined) throw new RpcFault(-32601, `the method ${method} does not exist/is not available`);
    return { jsonrpc: "2.0", id, result: await answer(...params) };
  } catch (error) {
    const { code, message } = error instanceof RpcFault ? error : new RpcFault(-32603, String(error));
    return { jsonrpc: "2.0", id, error: { code, message } };
  }
}

function answerBatch(
  response: ServerResponse,
  { fault, answers }: { fault: ServerFault | null; answers: object[] },
): void {
  if (fault === "hang") return;
  if (fault === "stall") {
    response.writeHead(200, { "content-type": "application/json" });
    response.write("[{");
    return;
  }
  const status = { http500: 500, ratelimit: 429 }[fault as string] ?? 200;
  // In reverse: a batch may be answered in any order.
  const body = fault === null ? answers.toReversed() : { ...faultBodies, drop: answers.slice(0, -1) }[fault];
  send(response, status, typeof body === "string" ? body : JSON.stringify(body));
}

const faultBodies = {
  http500: "<html>upstream</html>",
  ratelimit: { jsonrpc: "2.0", id: null, error: { code: -32005, message: "rate limit exceeded" } },
  garbage: '[{"jsonrpc":"2.0","id":1,"result":{"bloc',
  "refuse-batch": { jsonrpc: "2.0", id: null, error: { code: -32600, message: "batches are not allowed" } },
};

function send(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(body);
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
