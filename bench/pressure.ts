// Ten thousand different transactions at once while the only endpoint hangs: 10,000 connections within half a second to the product in its
// own process, without limits for clients. No connection may be reset, every request is answered within the deadline plus one second, and
// memory stays under 400 MB. Needs some 25,000 file descriptors.
import { readFileSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import { startMain } from "../test/support/main-process.ts";
import { hashOf } from "../test/support/sample.ts";

const transactions = 10_000;
const spreadMs = 500;
const deadlineMs = 8_000;
const memoryMax = 400;

const endpoint = await openHanging();
const main = await startMain({
  RPC_URLS: endpoint.url,
  RECORDINGS_DIR: "",
  DEADLINE_MS: String(deadlineMs),
  RATE_LIMIT_PER_MINUTE: "0",
  OPEN_CALLS_PER_MINUTE: "0",
  GATHERINGS_PER_CLIENT: "0",
});
const memory = { start: readMemory(), most: 0 };
const watch = setInterval(() => {
  memory.most = Math.max(memory.most, readMemory());
}, 100);
const answers = await Promise.all(
  Array.from({ length: transactions }, (_, number) => ask(number, (number % spreadMs) + 1)),
);
clearInterval(watch);
memory.most = Math.max(memory.most, readMemory());
main.child.kill("SIGKILL");
report();
process.exit(0);

interface Asked {
  /** HTTP status, or how the connection ended. */
  outcome: string;
  /** Milliseconds from the request on the wire to the answer. */
  ms: number;
}

function ask(number: number, afterMs: number): Promise<Asked> {
  const body = JSON.stringify({ tx_hash: hashOf(number + 1) });
  const head = `POST /explain HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}`;
  return new Promise((resolve) => {
    setTimeout(() => {
      const socket = connect(Number(new URL(main.url).port), "127.0.0.1");
      let began = performance.now();
      const end = (outcome: string) => {
        resolve({ outcome, ms: performance.now() - began });
        socket.destroy();
      };
      socket.once("connect", () => {
        began = performance.now();
        socket.write(`${head}\r\n\r\n${body}`);
      });
      socket.once("data", (data) => end(data.toString("latin1", 9, 12)));
      socket.once("error", (error: NodeJS.ErrnoException) => end(String(error.code)));
      socket.once("close", () => end("closed"));
    }, afterMs);
  });
}

async function openHanging() {
  const sockets = new Set<Socket>();
  const state = { url: "", most: 0 };
  const server = createServer((socket) => {
    sockets.add(socket.on("error", () => {}).resume());
    state.most = Math.max(state.most, sockets.size);
    socket.once("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  state.url = `http://127.0.0.1:${(server.address() as { port: number }).port}`;
  return state;
}

/** Megabytes that the service holds. */
function readMemory(): number {
  const status = readFileSync(`/proc/${main.child.pid}/status`, "utf8");
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024);
}

function report(): void {
  const counts: Record<string, number> = {};
  for (const { outcome } of answers) counts[outcome] = (counts[outcome] ?? 0) + 1;
  const times = answers.map(({ ms }) => ms).sort((a, b) => a - b);
  const at = (share: number) => Math.round(times[Math.floor(share * (times.length - 1))] as number);
  const lost = transactions - (counts["503"] ?? 0);
  console.log(`answers ${JSON.stringify(counts)}, ms p50 ${at(0.5)}, p99 ${at(0.99)}, most ${at(1)}`);
  console.log(`memory ${memory.start} MB before, ${memory.most} MB at most; ${endpoint.most} sockets to the endpoint`);
  print("10,000 transactions, endpoint hangs: p99 ÷ (deadline + 1 s)", at(0.99) / (deadlineMs + 1_000), 1);
  print("the same: memory ÷ 400 MB", memory.most / memoryMax, 1);
  print("the same: not answered with 503", lost, 0);
  // At a timeout, new connections may open before the endpoint has seen that the old ones are closed.
  print("the same: sockets to the endpoint ÷ ENDPOINT_SOCKETS", endpoint.most / 64, 2);
}

function print(bench: string, ratio: number, limit: number): void {
  console.log(JSON.stringify({ bench, ratio: Number(ratio.toFixed(2)), limit }));
}
