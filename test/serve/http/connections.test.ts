import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { type ConnectionOptions, Connections } from "../../../src/serve/http/connections.ts";
import { defer } from "../../support/deferred.ts";
import { caseFileOf, explanationOf, hashOf } from "../../support/sample.ts";
import { compileSchema } from "../../support/schema.ts";
import { openServer } from "../../support/server.ts";

const closing: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** A server with these deadlines: all others are an hour. */
async function listen(options: ConnectionOptions, server: Parameters<typeof openServer>[0] = {}) {
  const hour = 3_600_000;
  const usual = { headers: hour, request: hour, idle: hour, unread: hour, ending: hour };
  const connections = new Connections({ ...options, deadlines: { ...usual, ...options.deadlines } });
  const { app } = openServer({ connections, ...server });
  await app.listen({ host: "127.0.0.1", port: 0 });
  closing.push(() => {
    app.server.closeAllConnections();
    return app.close();
  });
  return { connections, port: (app.server.address() as { port: number }).port };
}

/** A peer that sends this text and never closes by itself. */
async function open(
  port: number,
  text: string,
  { reads = true } = {},
): Promise<{ socket: Socket; heard: () => string }> {
  const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
  socket.on("error", () => {});
  closing.push(() => socket.destroy());
  let heard = "";
  if (reads)
    socket.on("data", (chunk) => {
      heard += chunk;
    });
  await once(socket, "connect");
  if (text !== "") socket.write(text);
  return { socket, heard: () => heard };
}

/** Waits until the server holds so many connections. */
async function untilOpen(connections: Connections, count: number): Promise<void> {
  while (connections.counts().open !== count) await new Promise((resolve) => setImmediate(resolve));
}

const request = (path: string, more = "") => `GET ${path} HTTP/1.1\r\nHost: x\r\n${more}\r\n`;
const post = (body: string, length = body.length) =>
  `POST /explain HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n${body}`;

describe("a peer that never closes loses its connection", () => {
  it.each<[string, string, Parameters<typeof listen>[0]["deadlines"], RegExp]>([
    ["when it sends nothing", "", { headers: 100 }, /^$/],
    [
      "when its headers do not end",
      "GET /healthz HTTP/1.1\r\nHost: x\r\nX-A: ",
      { headers: 100, ending: 100 },
      /^HTTP\/1\.1 408 /,
    ],
    [
      "when its body does not end",
      post("{", 100),
      { headers: 100, request: 150, ending: 100 },
      /^HTTP\/1\.1 408 [\s\S]*"request_timeout"/,
    ],
    ["when it sends no second request", request("/readyz"), { idle: 50 }, /^HTTP\/1\.1 200 /],
    ["when it sends no HTTP", "not http\r\n\r\n", { ending: 100 }, /^HTTP\/1\.1 400 /],
    [
      "when it asks for a close and does not close",
      request("/readyz", "Connection: close\r\n"),
      { ending: 100 },
      /^HTTP\/1\.1 200 /,
    ],
    [
      "when its body goes on after it was refused",
      post("x".repeat(5000), 4_000_000),
      { headers: 100, request: 150, ending: 100 },
      /^HTTP\/1\.1 413 /,
    ],
  ])("%s", async (_name, text, deadlines, answer) => {
    const { connections, port } = await listen({ deadlines });
    const { heard } = await open(port, text);
    await untilOpen(connections, 1);
    await untilOpen(connections, 0);
    expect(heard()).toMatch(answer);
  });

  it("when its body comes drop by drop", async () => {
    const { connections, port } = await listen({ deadlines: { headers: 100, request: 150, ending: 100 } });
    const { socket } = await open(port, post("{", 4000));
    await untilOpen(connections, 1);
    const drops = setInterval(() => socket.writable && socket.write("a"), 5);
    await untilOpen(connections, 0);
    clearInterval(drops);
  });

  it("when it does not read what it asked for", async () => {
    const { connections, port } = await listen({ deadlines: { unread: 100 } });
    const { socket } = await open(port, "", { reads: false });
    socket.pause();
    // More answers than the buffers of both sides hold.
    for (let sent = 0; sent < 200; sent++) socket.write(request("/openapi.json").repeat(20));
    await untilOpen(connections, 1);
    await untilOpen(connections, 0);
    expect(connections.counts().cut_off).toBe(1);
  });

  it("when it sends request upon request and waits for no answer", async () => {
    const gathered = new Set<string>();
    const gather = (hash: string) => {
      gathered.add(hash);
      return new Promise<never>(() => {});
    };
    const { connections, port } = await listen({}, { gather });
    const flood = Array.from({ length: 200 }, (_, at) => post(JSON.stringify({ tx_hash: hashOf(at) })));
    await open(port, flood.join(""));
    await untilOpen(connections, 1);
    await untilOpen(connections, 0);
    expect(connections.counts().cut_off).toBe(1);
    expect(gathered.size).toBe(32);
  });

  it("and one that is slow but reads keeps it", async () => {
    const gathering = defer<void>();
    const { connections, port } = await listen(
      { deadlines: { unread: 50, ending: 50 } },
      { gather: (hash) => gathering.promise.then(() => caseFileOf(hash)) },
    );
    const { heard, socket } = await open(port, post(JSON.stringify({ tx_hash: hashOf(1) })));
    // The deadlines of another connection pass meanwhile.
    const other = await open(port, "not http\r\n\r\n");
    await untilOpen(connections, 2);
    await untilOpen(connections, 1);
    expect(other.heard()).toContain("400");
    gathering.resolve();
    await once(socket, "data");
    expect(heard()).toContain("HTTP/1.1 200 OK");
  });
});

describe("requests with two Host headers", () => {
  it.each(["Host: x\r\nHost: x", "Host: x\r\nhOST: y", "Host: x\r\nX-A: b\r\nHost:"])(
    "are refused, and others served: %s",
    async (hosts) => {
      const { port } = await listen({});
      const [attacker, ...victims] = await Promise.all([
        open(port, `GET /openapi.json HTTP/1.1\r\n${hosts}\r\n\r\n`),
        ...Array.from({ length: 3 }, () => open(port, request("/openapi.json", "X-Host: y\r\n"))),
      ]);
      await Promise.all([once(attacker.socket, "end"), ...victims.map(({ socket }) => once(socket, "data"))]);
      expect(attacker.heard()).toMatch(/^HTTP\/1\.1 400 [\s\S]*"unreadable_request"/);
      for (const { heard } of victims) expect(heard()).toMatch(/^HTTP\/1\.1 200 /);
    },
  );
});

describe("more connections than there may be", () => {
  it("are answered with 503 and closed, those of a probe are served, and there is room again later", async () => {
    // One address has a quarter of the places.
    const { connections, port } = await listen({ max: 8, deadlines: { ending: 50 } });
    const first = await open(port, post("{", 100));
    await open(port, post("{", 100));
    await untilOpen(connections, 2);
    const third = await open(port, post(JSON.stringify({ tx_hash: hashOf(1) })));
    await once(third.socket, "end");
    const [head = "", body = ""] = third.heard().split("\r\n\r\n");
    expect(head).toMatch(/^HTTP\/1\.1 503 /);
    expect(head).toMatch(/^retry-after: 1\r?$/im);
    expect(head).toMatch(/^connection: close\r?$/im);
    expect(compileSchema("error")(JSON.parse(body))).toBe(true);
    expect(JSON.parse(body)).toMatchObject({ error: "overloaded", retryable: true });
    expect(connections.counts()).toMatchObject({ refused: 1 });

    await untilOpen(connections, 2);
    const probe = await open(port, request("/healthz"));
    await once(probe.socket, "data");
    expect(probe.heard()).toMatch(/^HTTP\/1\.1 200 /);
    first.socket.destroy();
    await untilOpen(connections, 2);
    probe.socket.write(post(JSON.stringify({ tx_hash: hashOf(1) })));
    await once(probe.socket, "data");
    expect(probe.heard()).toContain(explanationOf(hashOf(1)).summary);
  });

  it("are closed when there are far more, those first that have waited longest for a place", async () => {
    const { connections, port } = await listen({ max: 1 });
    const opened = [];
    for (let count = 1; count <= 3; count++) {
      opened.push(await open(port, ""));
      await untilOpen(connections, count);
    }
    const last = await open(port, "");
    await once(opened[1]?.socket as Socket, "end");
    expect(connections.counts().open).toBe(3);
    expect([opened[2]?.socket, last.socket].map((socket) => socket?.readableEnded)).toEqual([false, false]);
  });
});
