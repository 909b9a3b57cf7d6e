import { EventEmitter } from "node:events";
import { describe, expect, it, vi } from "vitest";
import { serviceLimits } from "../../../src/kernel/limits.ts";
import { type ConnectionDeadlines, Connections, usualDeadlines } from "../../../src/serve/http/connections.ts";

/** A socket for which a test says what was read and written. */
function socketOf(parts: object = {}) {
  const done: string[] = [];
  const socket = Object.assign(new EventEmitter(), {
    ...{ bytesRead: 1, writable: true, writableLength: 0, writableFinished: false },
    destroyed: false,
    destroy() {
      this.destroyed = true;
      done.push("destroyed");
    },
    end: (text: string) => done.push(text.split("\r\n")[0] as string),
    ...parts,
  });
  return { socket, done };
}

const refused = (...parts: Parameters<typeof socketOf>) => {
  const { socket, done } = socketOf(...parts);
  const told = (code: string) => {
    new Connections().refuseUnread({ code } as never, socket as never);
    return done;
  };
  return { told };
};

describe("a request that could not be read", () => {
  it.each([
    ["HPE_INVALID_METHOD", "HTTP/1.1 400 Bad Request"],
    ["ERR_HTTP_REQUEST_TIMEOUT", "HTTP/1.1 408 Request Timeout"],
    ["HPE_HEADER_OVERFLOW", "HTTP/1.1 431 Request Header Fields Too Large"],
  ])("%s is answered: %s", (code, line) => {
    expect(refused().told(code)).toEqual([line]);
  });

  it.each([
    ["sent nothing", { bytesRead: 0 }],
    ["does not listen any more", { writable: false }],
  ])("is not answered where the peer %s", (_name, parts) => {
    expect(refused(parts).told("HPE_INVALID_METHOD")).toEqual(["destroyed"]);
  });
});

describe("the connections of a server", () => {
  function open(options: ConstructorParameters<typeof Connections>[0] = {}) {
    const handled: string[] = [];
    const connections = new Connections(options);
    const server = connections.createServer((_request, response) =>
      handled.push((response as never as { name: string }).name),
    );
    const connect = (parts: object = {}) => {
      const made = socketOf(parts);
      server.emit("connection", made.socket);
      return made;
    };
    const ask = (socket: unknown, name: string, url = "/explain") => {
      const response = Object.assign(new EventEmitter(), {
        ...{ name, shouldKeepAlive: true, headersSent: false, destroyed: false, status: 0 },
        ...{ writableFinished: false, writableEnded: false },
        writeHead(status: number) {
          this.status = status;
          return { end: () => {} };
        },
      });
      server.emit("request", { socket, url, headers: {} }, response);
      return response;
    };
    return { connections, server, connect, ask, handled };
  }

  it("are counted while they are open", () => {
    const { connections, connect, server } = open();
    const [first] = [connect(), connect()];
    expect([connections.arrived, connections.counts()]).toEqual([2, { open: 2, refused: 0, cut_off: 0 }]);
    first.socket.emit("close");
    expect([connections.arrived, connections.counts().open]).toEqual([2, 1]);
    expect(server.maxConnections).toBe(serviceLimits.connectionsMax * 4);
    expect(open({ max: 3 }).server.maxConnections).toBe(12);
  });

  it("beyond the limit are refused, except for health checks; one that closes makes room", () => {
    const { connections, connect, ask, handled } = open({ max: 1 });
    const [first, second] = [connect(), connect()];
    ask(first.socket, "a");
    expect(ask(second.socket, "b")).toMatchObject({ status: 503, shouldKeepAlive: false });
    for (const path of ["/healthz", "/readyz", "/metrics"]) ask(second.socket, path, path);
    expect(handled).toEqual(["a", "/healthz", "/readyz", "/metrics"]);
    expect(connections.counts()).toEqual({ open: 2, refused: 1, cut_off: 0 });
    first.socket.emit("close");
    ask(second.socket, "c");
    expect(handled.at(-1)).toBe("c");
    const third = connect();
    expect(ask(third.socket, "d").status).toBe(503);
    ask(second.socket, "c again");
    expect(handled.at(-1)).toBe("c again");
    third.socket.emit("close");
    second.socket.emit("close");
    const fourth = connect();
    ask(fourth.socket, "e");
    expect(handled.at(-1)).toBe("e");
  });

  it("are ended where a peer sends 32 requests more before it has an answer", () => {
    const { connections, connect, ask, handled } = open();
    const { socket, done } = connect();
    for (let sent = 0; sent <= serviceLimits.pipelinedMax; sent++)
      ask(socket, `${sent}`).writableEnded = sent % 31 === 0;
    expect([handled.length, done]).toEqual([33, []]);
    for (let sent = 0; sent < 40; sent++) ask(socket, "more");
    expect([handled.length, done]).toEqual([64, ["destroyed"]]);
    expect(connections.counts()).toEqual({ open: 1, refused: 0, cut_off: 1 });
  });

  it("are closed by their responses once the service stops", () => {
    const { connections, connect, ask } = open();
    const [waiting, sent] = [ask(connect().socket, "a"), ask(connect().socket, "b")];
    sent.headersSent = true;
    expect([connections.draining, waiting.shouldKeepAlive]).toEqual([false, true]);
    connections.drain();
    expect([connections.draining, waiting.shouldKeepAlive, sent.shouldKeepAlive]).toEqual([true, false, true]);
    expect(ask(connect().socket, "c").shouldKeepAlive).toBe(false);
    // The first and the third still wait; the second is answered already.
    expect(connections.refuseWaiting()).toBe(2);
    expect([waiting.status, sent.status]).toEqual([503, 0]);
    waiting.destroyed = true;
    expect(connections.refuseWaiting()).toBe(1);
  });

  it("have these times, and are looked at four times in the shortest and once a second at least", () => {
    const every = (deadlines: Partial<ConnectionDeadlines>) => {
      const started = vi.spyOn(globalThis, "setInterval");
      const { server } = open({ deadlines });
      const ms = started.mock.lastCall?.[1];
      started.mockRestore();
      server.emit("close");
      return ms;
    };
    expect(usualDeadlines).toEqual({ headers: 10_000, request: 15_000, idle: 72_000, unread: 20_000, ending: 1_000 });
    const { headersTimeout, requestTimeout, keepAliveTimeout } = open().server;
    expect([headersTimeout, requestTimeout, keepAliveTimeout]).toEqual([10_000, 15_000, 72_000]);
    const long = { headers: 9_000, request: 9_000, idle: 9_000, unread: 9_000, ending: 9_000 };
    expect([every({}), every(long), every({ ...long, idle: 4 })]).toEqual([250, 1_000, 1_000]);
    for (const name of ["headers", "unread", "ending"]) expect(every({ ...long, [name]: 401 })).toBe(101);
    expect(every({ ...long, headers: 401, request: 401 })).toBe(101);
  });

  it("are looked at no more once the server is closed", () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const { server } = open();
    expect(vi.getTimerCount()).toBe(1);
    server.emit("close");
    expect(vi.getTimerCount()).toBe(0);
    vi.useRealTimers();
  });

  it("that sent nothing for a while are closed", () => {
    const now = vi.spyOn(performance, "now").mockReturnValue(1_000);
    const { connections, connect } = open();
    const [silent, asking] = [connect({ bytesRead: 0 }), connect({ bytesRead: 5 })];
    now.mockReturnValue(1_500);
    connections.closeSilent();
    expect(silent.done).toEqual([]);
    now.mockReturnValue(1_501);
    connections.closeSilent();
    expect([silent.done, asking.done]).toEqual([["destroyed"], []]);
    now.mockRestore();
  });

  it("whose peer does not read, or does not close, are cut off", () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "performance"], now: 0 });
    const { connections, connect } = open({ deadlines: { unread: 4_000, ending: 2_000 } });
    const [unread, reading, ended] = [connect({ writableLength: 9 }), connect({ writableLength: 9 }), connect()];
    const step = (ms: number) => vi.advanceTimersByTime(ms);
    step(500);
    Object.assign(ended.socket, { writableFinished: true });
    step(2_500);
    expect(ended.done).toEqual([]);
    step(500);
    expect(ended.done).toEqual(["destroyed"]);
    ended.socket.emit("close");
    Object.assign(reading.socket, { writableLength: 0 });
    step(500);
    Object.assign(reading.socket, { writableLength: 9 });
    step(500);
    expect([unread.done, reading.done]).toEqual([[], []]);
    step(500);
    expect([unread.done, reading.done]).toEqual([["destroyed"], []]);
    expect(connections.counts()).toEqual({ open: 2, refused: 0, cut_off: 2 });
    vi.useRealTimers();
  });
});
