import { spawn } from "node:child_process";
import { connect, type Socket } from "node:net";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

/** Starts a server in its own process. `bytes`: the whole request that it gets, if it is not the common one. */
export async function startSubject(name: string, bytes?: Buffer) {
  // The product sets this when it starts (start/runtime.js).
  const flags = name === "bare" ? [] : ["--no-allocation-site-pretenuring"];
  const child = spawn(process.execPath, [...flags, fileURLToPath(new URL("http-subject.ts", import.meta.url)), name], {
    stdio: ["pipe", "pipe", "ignore"],
  });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const readNumber = async () => Number((await lines.next()).value);
  const port = await readNumber();
  return {
    port,
    bytes,
    samples: [] as number[],
    report() {
      child.stdin.write("report\n");
      return readNumber();
    },
    stop: () => child.stdin.end(),
  };
}

export interface Load {
  requests: number;
  connections: number;
  /** One whole request. */
  bytes: Buffer;
}

/**
 * Measures the subjects in turn, so that other work of the machine disturbs all of them alike. Adds the CPU microseconds per request
 * to the samples of each. The first rounds only warm up.
 */
export async function measure(
  subjects: readonly Awaited<ReturnType<typeof startSubject>>[],
  { rounds, ...settings }: Load & { rounds: number },
): Promise<void> {
  for (let round = -8; round < rounds; round++) {
    const order = round % 2 === 0 ? subjects : subjects.toReversed();
    for (const subject of order) {
      await subject.report();
      await load(subject.port, { ...settings, bytes: subject.bytes ?? settings.bytes });
      const microseconds = (await subject.report()) / settings.requests;
      if (round >= 0) subject.samples.push(microseconds);
    }
  }
  for (const subject of subjects) subject.stop();
}

/**
 * Sends requests over keep-alive connections, one at a time on each. It uses bare sockets, because an HTTP client would cost more than
 * the servers and leave them idle.
 */
async function load(port: number, { requests, connections, bytes }: Load): Promise<void> {
  let left = requests;
  const take = () => left-- > 0;
  const run = () => runConnection(connect(port, "127.0.0.1"), { bytes, take });
  await Promise.all(Array.from({ length: connections }, run));
}

function runConnection(socket: Socket, { bytes, take }: { bytes: Buffer; take: () => boolean }): Promise<void> {
  return new Promise((resolve, reject) => {
    let answerBytes = 0;
    let received = 0;
    const next = () => {
      received = 0;
      if (take()) socket.write(bytes);
      else socket.end(() => resolve());
    };
    socket.on("error", reject);
    socket.on("connect", next);
    socket.on("data", (chunk) => {
      // All responses of one connection have the length of the first one.
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

export function median(values: readonly number[]): number {
  return values.toSorted((left, right) => left - right)[values.length >> 1] as number;
}
