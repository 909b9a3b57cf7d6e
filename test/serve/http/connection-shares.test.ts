import { EventEmitter, once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { toClient } from "../../../src/serve/access/quota/client-address.ts";
import { Connections } from "../../../src/serve/http/connections.ts";
import { openServer } from "../../support/server.ts";

const closing: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function listen(options: ConstructorParameters<typeof Connections>[0]) {
  const connections = new Connections(options);
  const { app } = openServer({ connections });
  await app.listen({ host: "127.0.0.1", port: 0 });
  closing.push(() => {
    app.server.closeAllConnections();
    return app.close();
  });
  const { port } = app.server.address() as { port: number };
  return { connections, port };
}

/** A kept connection from this address of the machine. */
async function open(port: number, from: string) {
  const socket = connect({ port, host: "127.0.0.1", localAddress: from });
  socket.on("error", () => {});
  closing.push(() => socket.destroy());
  await once(socket, "connect");
  return { socket, ask: (path = "/openapi.json", more = "") => ask(socket, path, more) };
}

/** Sends a request, and gives the status of its answer; 0 where the connection ends without one. */
function ask(socket: Socket, path: string, more: string): Promise<number> {
  return new Promise((resolve) => {
    if (socket.destroyed) return resolve(0);
    let heard = "";
    const hear = (chunk: Buffer) => {
      heard += chunk;
      const length = Number(/content-length: (\d+)/i.exec(heard)?.[1] ?? Number.NaN);
      const start = heard.indexOf("\r\n\r\n");
      if (start < 0 || Buffer.byteLength(heard) < start + 4 + length) return;
      socket.off("data", hear);
      resolve(Number(heard.slice(9, 12)));
    };
    socket.on("data", hear);
    socket.once("close", () => resolve(0));
    socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n${more}\r\n`);
  });
}

const once200 = async (port: number, from: string) => (await open(port, from)).ask();
const attacker = "127.0.0.9";
const victims = ["127.0.0.2", "127.0.0.3", "127.0.0.4"];

describe.skipIf(process.platform !== "linux")("idle connections of one address", () => {
  it("have their share, and every other caller is served beside them", async () => {
    const { connections, port } = await listen({ max: 40 });
    const held = [];
    for (let nth = 0; nth < 60; nth++) {
      const connection = await open(port, attacker);
      expect(await connection.ask()).toBe(200);
      held.push(connection.socket);
      if (nth % 3 === 0) for (const victim of victims.slice(0, 1)) expect(await once200(port, victim)).toBe(200);
    }
    const kept = held.filter((socket) => !socket.destroyed);
    expect(kept.length).toBeLessThanOrEqual(10);
    // The youngest were kept.
    expect(kept.at(-1)).toBe(held.at(-1));
    const answers = await Promise.all(victims.map((victim) => once200(port, victim)));
    expect(answers).toEqual([200, 200, 200]);
    expect(await (await open(port, "127.0.0.5")).ask("/readyz")).toBe(200);
    expect(connections.counts().refused).toBe(0);
  });

  it("of many addresses fill the table, and then the longest idle one is closed for a new caller", async () => {
    const { connections, port } = await listen({ max: 8 });
    const held: Socket[] = [];
    for (const from of ["127.0.1.1", "127.0.1.2", "127.0.1.3", "127.0.1.4"])
      for (let nth = 0; nth < 2; nth++) {
        const connection = await open(port, from);
        expect(await connection.ask()).toBe(200);
        held.push(connection.socket);
      }
    expect(connections.counts().open).toBe(8);
    expect(connections.crowdedSince).toBeDefined();
    const watcher = await open(port, "127.0.0.6");
    // A new caller would be served.
    expect(await watcher.ask("/readyz")).toBe(200);
    for (const victim of victims) expect(await once200(port, victim)).toBe(200);
    expect(held.map((socket) => socket.destroyed)).toEqual([true, true, true, false, false, false, false, false]);
  });

  it("that are all busy leave no place: the service says that it is not ready, until one ends", async () => {
    const { port } = await listen({ max: 4 });
    const busy = [];
    for (const from of ["127.0.1.1", "127.0.1.2", "127.0.1.3", "127.0.1.4"]) {
      const { socket } = await open(port, from);
      socket.write(
        "POST /explain HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 90\r\n\r\n{",
      );
      busy.push(socket);
    }
    const watcher = await open(port, "127.0.0.6");
    while ((await watcher.ask("/readyz")) !== 503);
    const victim = await open(port, victims[0] as string);
    expect(await victim.ask()).toBe(503);
    busy[0]?.destroy();
    while ((await watcher.ask("/readyz")) !== 200);
    expect(await once200(port, victims[0] as string)).toBe(200);
  });

  it("of the operator's own proxy have no share", async () => {
    const { port } = await listen({ max: 8, isProxy: (address) => address === "127.0.0.7" });
    const held = [];
    for (let nth = 0; nth < 6; nth++) {
      held.push(await open(port, "127.0.0.7"));
      expect(await held.at(-1)?.ask()).toBe(200);
    }
    expect(await Promise.all(held.map((one) => one.ask()))).toEqual(Array(6).fill(200));
  });
});

describe("connections of IPv6", () => {
  it("count in their /64, their /56 and their /48", () => {
    const connections = new Connections({ max: 16 });
    const server = connections.createServer(() => {});
    const open = (remoteAddress: string) => {
      const socket = Object.assign(new EventEmitter(), { remoteAddress, destroy: () => {}, bytesRead: 1 });
      server.emit("connection", socket);
      return connections.hasPlace(socket as never);
    };
    expect(toClient("2001:db8:1:201::1")).toBe("2001:db8:1:201");
    const many = (prefix: (nth: number) => string, count: number) =>
      Array.from({ length: count }, (_, nth) => open(`${prefix(nth)}::1`)).filter(Boolean).length;
    // A quarter for one /64, three eighths for its /56, a half for its /48.
    expect(many(() => "2001:db8:1:201", 9)).toBe(4);
    expect(many((nth) => `2001:db8:1:2${10 + nth}`, 9)).toBe(2);
    expect(many((nth) => `2001:db8:1:${3 + nth}00`, 9)).toBe(2);
    expect(many((nth) => `2001:db8:${2 + nth}:0`, 9)).toBe(8);
  });
});
