import { createServer, type ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import { listenForTest } from "./loopback.ts";

/**
 * `endless`: JSON that never ends, sent as fast as it is read. `giant`: announces a length of one gigabyte. `bomb`: 200 MB of JSON,
 * compressed. `drip`: one byte now and then. `long`: correct answers of Base, each 20 MB long.
 */
export const hostilities = ["endless", "giant", "bomb", "drip"] as const;
export type Hostility = (typeof hostilities)[number] | "long";

export interface HostileServer {
  url: string;
  /** Bytes that were sent, as they go over the wire. */
  sent(): number;
  requests: number;
}

const megabyte = 1024 * 1024;
let packed: Buffer | undefined;

/** A server that answers every request in this way; it ends with the test. */
export async function startHostileServer(hostility: Hostility): Promise<HostileServer> {
  let sent = 0;
  const state: HostileServer = { url: "", sent: () => sent, requests: 0 };
  const server = createServer(async (request, response) => {
    state.requests++;
    const asked = await text(request);
    const { socket } = response;
    response.once("close", () => {
      sent += socket?.bytesWritten ?? 0;
    });
    answers[hostility](response, asked);
  });
  state.url = await listenForTest(server);
  return state;
}

const json = { "content-type": "application/json" };
const answers: Record<Hostility, (response: ServerResponse, asked: string) => void> = {
  endless(response) {
    response.writeHead(200, json);
    pour(response);
  },
  giant(response) {
    response.writeHead(200, { ...json, "content-length": 1024 * megabyte });
    pour(response);
  },
  bomb(response) {
    packed ??= gzipSync(Buffer.concat([Buffer.from("["), Buffer.alloc(200 * megabyte, 0x20)]), { level: 1 });
    response.writeHead(200, { ...json, "content-encoding": "gzip", "content-length": packed.length });
    response.end(packed);
  },
  drip(response) {
    response.writeHead(200, json);
    const timer = setInterval(() => response.write(" "), 20);
    response.once("close", () => clearInterval(timer));
  },
  long(response, asked) {
    const batch = JSON.parse(asked) as { id: number; method: string }[];
    const told = batch.map(({ id, method }) => ({
      jsonrpc: "2.0",
      id,
      result: method === "eth_chainId" ? "0x2105" : "0x1",
    }));
    response.writeHead(200, json);
    response.end(`${" ".repeat(20 * megabyte)}${JSON.stringify(told)}`);
  },
};

/** Writes as long as somebody reads. */
function pour(response: ServerResponse): void {
  const chunk = Buffer.alloc(megabyte, 0x20);
  const more = () => {
    while (!response.destroyed && response.write(chunk));
    if (!response.destroyed) response.once("drain", more);
  };
  more();
}
