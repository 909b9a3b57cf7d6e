import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { serviceLimits } from "../kernel/limits.ts";
import { answerRefused, answerUnread } from "./bare-answer.ts";

/** How long a connection may take for what. Milliseconds. */
export interface ConnectionDeadlines {
  /** From the first byte of a request, or the opening of the connection, to the end of its headers. */
  headers: number;
  /** To the end of its body. */
  request: number;
  /** From a response to the next request. It is longer than proxies keep a connection, so that they close it first. */
  idle: number;
  /** For which a peer may leave bytes of ours unread. */
  unread: number;
  /** For which a connection that we ended waits for the other end. */
  ending: number;
}

export const usualDeadlines: ConnectionDeadlines = {
  headers: 10_000,
  request: 15_000,
  idle: 72_000,
  unread: 20_000,
  ending: 1_000,
};

export interface ConnectionOptions {
  /** Open connections; those beyond it are answered with 503. */
  max?: number;
  deadlines?: Partial<ConnectionDeadlines>;
}

/** What is known about one connection. Times are those of performance.now(). */
interface Connection {
  /** The last response, which may be finished. */
  openedAt: number;
  response: ServerResponse | undefined;
  /** Requests in a row that came before the one ahead of them had an answer. */
  piled: number;
  unreadSince: number | undefined;
  endedSince: number | undefined;
  /** It was opened when there were too many. */
  surplus: boolean;
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** All connections of the service: how many there may be, how long they live, and how they are given up when the service stops. */
export class Connections {
  readonly #open = new Map<Socket, Connection>();
  readonly #max: number;
  readonly #deadlines: ConnectionDeadlines;
  #arrived = 0;
  #surplus = 0;
  #draining = false;
  #refused = 0;
  #cutOff = 0;

  constructor({ max = serviceLimits.connectionsMax, deadlines = {} }: ConnectionOptions = {}) {
    this.#max = max;
    this.#deadlines = { ...usualDeadlines, ...deadlines };
  }

  /** True from the moment at which the service was told to stop. */
  get draining(): boolean {
    return this.#draining;
  }

  /** Connections since the start. */
  get arrived(): number {
    return this.#arrived;
  }

  /**
   * `refused`: answered with 503 because there were too many. `cut_off`: ended because the peer did not read or did not close, or sent too
   * many requests at once.
   */
  counts(): { open: number; refused: number; cut_off: number } {
    return { open: this.#open.size, refused: this.#refused, cut_off: this.#cutOff };
  }

  /** A server whose connections are counted here. Not yet listening. */
  createServer(handler: Handler): Server {
    const { headers, request, idle, unread, ending } = this.#deadlines;
    const everyMs = Math.ceil(Math.min(1_000, headers / 4, request / 4, unread / 4, ending / 4));
    const server = createServer(
      {
        maxHeaderSize: serviceLimits.headerBytesMax,
        headersTimeout: headers,
        requestTimeout: request,
        keepAliveTimeout: idle,
        connectionsCheckingInterval: everyMs,
      },
      (incoming, response) => this.#handle(incoming, response, handler),
    );
    // Far beyond the limit not even a refusal is worth the memory: Node.js closes such connections at once.
    server.maxConnections = this.#max * 4;
    server.on("connection", (socket) => this.#add(socket));
    const sweeper = setInterval(() => this.#sweep(), everyMs).unref();
    server.on("close", () => clearInterval(sweeper));
    return server;
  }

  /** Answers a request that Node.js could not read, or that took too long, and ends its connection. */
  refuseUnread(error: NodeJS.ErrnoException, socket: Socket): void {
    // Who sent nothing waits for nothing. A preconnected proxy would take an answer for that of its next request.
    if (socket.writable && socket.bytesRead > 0) socket.end(answerUnread(error.code));
    else socket.destroy();
  }

  /** From now on each response closes its connection. New connections are still taken. */
  drain(): void {
    this.#draining = true;
    for (const { response } of this.#open.values())
      if (response?.headersSent === false) response.shouldKeepAlive = false;
  }

  /**
   * Closes the connections that were opened a while ago and sent nothing yet: Node.js does not count them as idle. The request of a
   * younger one is probably on its way.
   */
  closeSilent(): void {
    const before = performance.now() - firstRequestMs;
    for (const [socket, { openedAt }] of this.#open) if (socket.bytesRead === 0 && openedAt < before) socket.destroy();
  }

  /** Answers every request that still waits: the service ends before its work does. Returns how many there were. */
  refuseWaiting(): number {
    const waiting = [...this.#open.values()].flatMap(({ response }) => response ?? []);
    const unanswered = waiting.filter((response) => !response.headersSent && !response.destroyed);
    for (const response of unanswered) answerRefused(response, "restarting");
    return unanswered.length;
  }

  #add(socket: Socket): void {
    this.#arrived++;
    const surplus = this.#open.size >= this.#max;
    if (surplus) this.#surplus++;
    const openedAt = performance.now();
    const times = { openedAt, unreadSince: undefined, endedSince: undefined };
    const connection = { ...times, response: undefined, piled: 0, surplus };
    this.#open.set(socket, connection);
    socket.once("close", () => this.#remove(socket, connection));
  }

  #remove(socket: Socket, connection: Connection): void {
    this.#open.delete(socket);
    if (connection.surplus) this.#surplus--;
  }

  #handle(request: IncomingMessage, response: ServerResponse, handler: Handler): void {
    const connection = this.#open.get(request.socket);
    if (connection !== undefined && this.#pilesUp(request.socket, connection)) return;
    if (connection !== undefined) connection.response = response;
    if (this.#draining) response.shouldKeepAlive = false;
    if (connection?.surplus === true && !this.#admits(request, connection)) {
      this.#refused++;
      answerRefused(response, "overloaded");
      return;
    }
    handler(request, response);
  }

  /**
   * Whether so many requests wait on this connection that it is ended: Node.js would read on and on, and all of them would be worked on at
   * once.
   */
  #pilesUp(socket: Socket, connection: Connection): boolean {
    if (socket.destroyed) return true;
    const { response } = connection;
    connection.piled = response === undefined || response.writableEnded ? 0 : connection.piled + 1;
    if (connection.piled < serviceLimits.pipelinedMax) return false;
    this.#cutOff++;
    socket.destroy();
    return true;
  }

  /** Whether there is room for it now. Whoever watches the service gets through when nobody else does. */
  #admits(request: IncomingMessage, connection: Connection): boolean {
    if (watchedPaths.has(request.url ?? "")) return true;
    if (this.#open.size - this.#surplus >= this.#max) return false;
    connection.surplus = false;
    this.#surplus--;
    return true;
  }

  /** Ends connections whose peer does not read what we sent, and those that we ended and the peer does not close. */
  #sweep(): void {
    const now = performance.now();
    const { unread, ending } = this.#deadlines;
    for (const [socket, connection] of this.#open) {
      connection.unreadSince = socket.writableLength === 0 ? undefined : (connection.unreadSince ?? now);
      connection.endedSince = socket.writableFinished ? (connection.endedSince ?? now) : undefined;
      // The memory of a response is not held until the next one.
      if (connection.response?.writableFinished) connection.response = undefined;
      const overdue = now - (connection.unreadSince ?? now) > unread || now - (connection.endedSince ?? now) > ending;
      if (!overdue) continue;
      this.#cutOff++;
      socket.destroy();
    }
  }
}

/** Milliseconds from a connection to its first request, where a client opened it for one. */
const firstRequestMs = 500;

const watchedPaths: ReadonlySet<string> = new Set(["/healthz", "/readyz", "/metrics"]);
