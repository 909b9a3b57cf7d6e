// A remembered POST /explain against bare node:http that parses the body and writes a cached buffer: CPU time of the server's
// process per request, the same load on both, rounds interleaved. Budget: 1.3 times.
import { spawn } from "node:child_process";
import { connect, type Socket } from "node:net";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { hashOf } from "../test/support/sample.ts";

const connections = 16;
const requestsPerRound = 4_000;
const rounds = 15;
const budget = 1.3;

const body = JSON.stringify({ tx_hash: hashOf(1) });
const requestBytes = Buffer.from(
  `POST /explain HTTP/1.1\r\nHost: localhost\r\nAccept: */*\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
);
const subjects = [await startSubject("bare"), await startSubject("door")];

// The first rounds only warm up.
for (let round = -2; round < rounds; round++) {
  const order = round % 2 === 0 ? subjects : subjects.toReversed();
  for (const subject of order) {
    await subject.report();
    await load(subject.port, requestsPerRound);
    const microseconds = (await subject.report()) / requestsPerRound;
    if (round >= 0) subject.samples.push(microseconds);
  }
}
for (const subject of subjects) subject.stop();

const [bare, door] = subjects.map(({ samples }) => median(samples)) as [number, number];
const ratio = median(subjects[1]!.samples.map((value, round) => value / subjects[0]!.samples[round]!));
console.log(`bare node:http, cached buffer   ${bare.toFixed(1)} µs CPU per request`);
console.log(`POST /explain, remembered       ${door.toFixed(1)} µs CPU per request`);
console.log(
  JSON.stringify({ bench: "cached /explain ÷ bare node:http", ratio: Number(ratio.toFixed(2)), limit: budget }),
);

async function startSubject(name: "bare" | "door") {
  const child = spawn(process.execPath, [fileURLToPath(new URL("support/http-subject.ts", import.meta.url)), name], {
    stdio: ["pipe", "pipe", "ignore"],
  });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const readNumber = async () => Number((await lines.next()).value);
  const port = await readNumber();
  return {
    port,
    samples: [] as number[],
    report() {
      child.stdin.write("report\n");
      return readNumber();
    },
    stop: () => child.stdin.end(),
  };
}

/**
 * Sends `count` requests over keep-alive connections, each waiting for its answer. On bare sockets: an HTTP client would cost
 * more than the servers and leave them idle between requests.
 */
async function load(port: number, count: number): Promise<void> {
  let left = count;
  const take = () => left-- > 0;
  await Promise.all(Array.from({ length: connections }, () => runConnection(connect(port, "127.0.0.1"), take)));
}

function runConnection(socket: Socket, take: () => boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    let answerBytes = 0;
    let received = 0;
    const next = () => {
      received = 0;
      if (take()) socket.write(requestBytes);
      else socket.end(() => resolve());
    };
    socket.on("error", reject);
    socket.on("connect", next);
    socket.on("data", (chunk) => {
      // Every answer of one connection has the length of its first.
      if (answerBytes === 0) answerBytes = readLength(chunk);
      received += chunk.length;
      if (received >= answerBytes) next();
    });
  });
}

function readLength(chunk: Buffer): number {
  const text = chunk.toString("latin1");
  const head = text.indexOf("\r\n\r\n");
  const length = /content-length: (\d+)/i.exec(text)?.[1];
  if (!text.startsWith("HTTP/1.1 200") || head < 0 || length === undefined) throw new Error(text.slice(0, 200));
  return head + 4 + Number(length);
}

function median(values: readonly number[]): number {
  return values.toSorted((left, right) => left - right)[values.length >> 1] as number;
}
