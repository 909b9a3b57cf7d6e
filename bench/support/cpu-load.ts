import { spawn } from "node:child_process";
import { connect, type Socket } from "node:net";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

/** A server in a process of its own (http-subject.ts), with the request that it is loaded with. */
export interface Subject {
  /** CPU microseconds per request, one sample a round. */
  samples: number[];
  port: number;
  request: Buffer;
  /** CPU microseconds used since the last report. */
  report(): Promise<number>;
  stop(): void;
}

const connections = 16;
const requestsPerRound = 4_000;
const rounds = 15;

/** One POST as it goes over the wire. */
export function writePost(path: string, body: string, headers: Record<string, string> = {}): Buffer {
  const fields = { Host: "localhost", Accept: "*/*", "Content-Type": "application/json", ...headers };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(
    `POST ${path} HTTP/1.1\r\n${lines.join("")}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  );
}

export async function startSubject(name: "bare" | "door", request: Buffer): Promise<Subject> {
  const child = spawn(process.execPath, [fileURLToPath(new URL("http-subject.ts", import.meta.url)), name], {
    stdio: ["pipe", "pipe", "ignore"],
  });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const readNumber = async () => Number((await lines.next()).value);
  return {
    samples: [],
    port: await readNumber(),
    request,
    report() {
      child.stdin.write("report\n");
      return readNumber();
    },
    stop: () => child.stdin.end(),
  };
}

/** Loads all subjects in turn, round by round, and stops them. The first rounds only warm up. */
export async function measure(subjects: readonly Subject[]): Promise<void> {
  for (let round = -2; round < rounds; round++) {
    for (const subject of round % 2 === 0 ? subjects : subjects.toReversed()) {
      await subject.report();
      await load(subject);
      const microseconds = (await subject.report()) / requestsPerRound;
      if (round >= 0) subject.samples.push(microseconds);
    }
  }
  for (const subject of subjects) subject.stop();
}

/** How much more the second costs than the first: the median of the rounds' ratios, two decimals. */
export function compare(first: Subject, second: Subject): number {
  const ratios = second.samples.map((value, round) => value / (first.samples[round] as number));
  return Number(median(ratios).toFixed(2));
}

export function median(values: readonly number[]): number {
  return values.toSorted((left, right) => left - right)[values.length >> 1] as number;
}

/**
 * Sends requests over keep-alive connections, each waiting for its answer. On bare sockets: an HTTP client would cost more than
 * the servers and leave them idle between requests.
 */
async function load({ port, request }: Subject): Promise<void> {
  let left = requestsPerRound;
  const take = () => left-- > 0;
  const run = () => runConnection(connect(port, "127.0.0.1"), request, take);
  await Promise.all(Array.from({ length: connections }, run));
}

function runConnection(socket: Socket, request: Buffer, take: () => boolean): Promise<void> {
  return new Promise((resolve, reject) => {
    let answerBytes = 0;
    let received = 0;
    const next = () => {
      received = 0;
      if (take()) socket.write(request);
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
