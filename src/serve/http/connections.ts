import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { serviceLimits } from "../../kernel/limits.ts";
import { answerRefused, answerUnread, unreadCodeOf } from "./bare-answer.ts";

/** Milliseconds. */
export interface ConnectionDeadlines {
  /** First byte, or opening, to the end of headers. */
  headers: number;
  /** To the end of the body. */
  request: number;
  /** From a response to the next request; longer than proxies', so that they close first. */
  idle: number;
  /** How long a peer may leave our bytes unread. */
  unread: number;
  /** For the peer to close after us. */
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
  /** Further ones get 503. */
  max?: number;
  deadlines?: Partial<ConnectionDeadlines>;
}

/** Times of performance.now(). */
interface Connection {
  openedAt: number;
  /** The last one, which may be finished. */
  response: ServerResponse | undefined;
  /** In a row before the answer ahead. */
  piled: number;
  unreadSince: number | undefined;
  endedSince: number | undefined;
  /** Opened above the limit. */
  surplus: boolean;
  /** Unreadable bytes: no request can follow. */
  broken: boolean;
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** Limits number and lifetime, closes at the end. */
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

  get draining(): boolean {
    return this.#draining;
  }

  /** Since the start. */
  get arrived(): number {
    return this.#arrived;
  }

  /** `refused`: 503, too many. `cut_off`: peer did not read or close, or sent too many requests. */
  counts(): { open: number; refused: number; cut_off: number } {
    return { open: this.#open.size, refused: this.#refused, cut_off: this.#cutOff };
  }

  /** Does not listen yet. */
  createServer(handler: Handler): Server {
    const { headers, request, idle, unread, ending } = this.#deadlines;
    const everyMs = Math.ceil(Math.min(1_000, headers / 4, request / 4, unread / 4, ending / 4));
    const handle: Handler = (incoming, response) => this.#handle(incoming, response, handler);
    const server = createServer(
      {
        // Node.js would answer without a body.
        requireHostHeader: false,
        maxHeaderSize: serviceLimits.headerBytesMax,
        headersTimeout: headers,
        requestTimeout: request,
        keepAliveTimeout: idle,
        connectionsCheckingInterval: everyMs,
      },
      handle,
    );
    // Unknown ones are ignored; Node.js would send an empty 417.
    server.on("checkExpectation", handle);
    // Node.js would hang up silently.
    server.on("connect", (incoming) => this.refuseUnread(new Error("no tunnels"), incoming.socket));
    // Far above the limit even refusals need too much memory.
    server.maxConnections = this.#max * 4;
    server.on("connection", (socket) => this.#add(socket));
    const sweeper = setInterval(() => this.#sweep(), everyMs).unref();
    server.on("close", () => clearInterval(sweeper));
    return server;
  }

  /**
   * A request was unreadable or too slow. Earlier requests get their answers first: a client takes the first response for its first
   * request, which may be paid for.
   */
  refuseUnread(error: NodeJS.ErrnoException, socket: Socket): void {
    const connection = this.#open.get(socket);
    // It sent nothing. A proxy that connected in advance would take a response for the answer to its next request.
    if (!socket.writable || socket.bytesRead === 0) return void socket.destroy();
    // After unreadable bytes everything is an error.
    if (connection?.broken === true) return;
    if (connection !== undefined) connection.broken = true;
    const response = connection?.response;
    if (response === undefined || response.writableFinished) return void socket.end(answerUnread(error.code));
    const { headersSent, req } = response;
    // GET starts before its end; of others the body was unreadable. Node.js keeps the order.
    if (!headersSent && !req.complete && req.method !== "GET") answerRefused(response, unreadCodeOf(error.code));
    else {
      if (!headersSent) response.shouldKeepAlive = false;
      response.once("finish", () => socket.end());
    }
  }

  /** Each response closes; new connections are accepted. */
  drain(): void {
    this.#draining = true;
    for (const { response } of this.#open.values())
      if (response?.headersSent === false) response.shouldKeepAlive = false;
  }

  /** Silent for a while: not idle for Node.js. A younger one probably has a request on its way. */
  closeSilent(): void {
    const before = performance.now() - firstRequestMs;
    for (const [socket, { openedAt }] of this.#open) if (socket.bytesRead === 0 && openedAt < before) socket.destroy();
  }

  /** 503, for lack of time. Returns how many. */
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
    const connection = { ...times, response: undefined, piled: 0, surplus, broken: false };
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
    if (request.headers.host === undefined && request.httpVersion === "1.1") {
      answerRefused(response, "unreadable_request", "The Host header is missing.");
      return;
    }
    if (connection?.surplus === true && !this.#admits(request, connection)) {
      this.#refused++;
      answerRefused(response, "overloaded");
      return;
    }
    handler(request, response);
  }

  /** Node.js would read on without limit and work on all at once. True: ended. */
  #pilesUp(socket: Socket, connection: Connection): boolean {
    if (socket.destroyed) return true;
    const { response } = connection;
    connection.piled = response === undefined || response.writableEnded ? 0 : connection.piled + 1;
    if (connection.piled < serviceLimits.pipelinedMax) return false;
    this.#cutOff++;
    socket.destroy();
    return true;
  }

  /** Monitoring paths always, also under load. */
  #admits(request: IncomingMessage, connection: Connection): boolean {
    if (watchedPaths.has(request.url ?? "")) return true;
    if (this.#open.size - this.#surplus >= this.#max) return false;
    connection.surplus = false;
    this.#surplus--;
    return true;
  }

  /** Unread bytes, or not closed by the peer. */
  #sweep(): void {
    const now = performance.now();
    const { unread, ending } = this.#deadlines;
    for (const [socket, connection] of this.#open) {
      connection.unreadSince = socket.writableLength === 0 ? undefined : (connection.unreadSince ?? now);
      connection.endedSince = socket.writableFinished ? (connection.endedSince ?? now) : undefined;
      // Frees its memory.
      if (connection.response?.writableFinished) connection.response = undefined;
      const overdue = now - (connection.unreadSince ?? now) > unread || now - (connection.endedSince ?? now) > ending;
      if (!overdue) continue;
      this.#cutOff++;
      socket.destroy();
    }
  }
}

/** Ms from opening to a first request. */
const firstRequestMs = 500;

const watchedPaths: ReadonlySet<string> = new Set(["/healthz", "/readyz", "/metrics"]);
