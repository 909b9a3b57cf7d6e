import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { serviceLimits } from "../../kernel/limits.ts";
import { networksOf, toClient } from "../access/quota/client-address.ts";
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
  /** Beyond: 503, unless an idle one can be closed. */
  max?: number;
  /** The operator's proxy: its connections are of many, so without a share. */
  isProxy?: (address: string) => boolean;
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
  /** Without a place. */
  surplus: boolean;
  /** Address and networks; none for our proxies. */
  shares: readonly Share[];
  /** When it became idle. */
  idleSince: number;
  /** Unreadable bytes came: no request can follow. */
  broken: boolean;
}

/** Of an address or network. */
interface Share {
  readonly name: string;
  readonly most: number;
  count: number;
  /** Longest idle first. */
  readonly idle: Set<Socket>;
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** Limits number and lifetime, closes at the end. */
export class Connections {
  readonly #open = new Map<Socket, Connection>();
  readonly #max: number;
  readonly #deadlines: ConnectionDeadlines;
  readonly #isProxy: (address: string) => boolean;
  readonly #shares = new Map<string, Share>();
  /** With a place, longest idle first; not of proxies. */
  readonly #idle = new Set<Socket>();
  readonly #surplus = new Set<Socket>();
  /** Nearly all places taken; ms since the epoch. */
  crowdedSince: number | undefined;
  arrived = 0;
  draining = false;
  #refused = 0;
  #cutOff = 0;

  constructor({ max = serviceLimits.connectionsMax, deadlines = {}, isProxy = () => false }: ConnectionOptions = {}) {
    this.#max = max;
    this.#isProxy = isProxy;
    this.#deadlines = { ...usualDeadlines, ...deadlines };
  }

  /** `refused`: 503, too many. `cut_off`: peer did not read or close, or sent too many requests. */
  counts(): { open: number; refused: number; cut_off: number } {
    return { open: this.#open.size, refused: this.#refused, cut_off: this.#cutOff };
  }

  /** No place, and none idle. */
  get isFull(): boolean {
    return this.#placesLeft <= 0 && this.#idle.size === 0;
  }

  /** Without one requests are refused. */
  hasPlace(socket: Socket): boolean {
    return this.#open.get(socket)?.surplus === false;
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
   * Unreadable or too slow. Earlier requests are answered first: a client takes the first response for its first request, perhaps paid for.
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
    this.draining = true;
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
    this.arrived++;
    // Node.js closes what comes beyond its own limit, so that limit is never reached by connections that only wait.
    if (this.#open.size >= this.#max * 4 - 1) this.#close(firstOf(this.#surplus) ?? firstOf(this.#idle));
    const openedAt = performance.now();
    const times = { openedAt, unreadSince: undefined, endedSince: undefined, idleSince: openedAt };
    const shares = this.#sharesOf(socket.remoteAddress ?? "");
    const state = { response: undefined, piled: 0, surplus: true, broken: false };
    const connection: Connection = { ...times, ...state, shares };
    this.#open.set(socket, connection);
    this.#surplus.add(socket);
    if (this.#placesLeft > 0 && shares.every(hasPlace)) this.#seat(socket, connection);
    socket.once("close", () => this.#remove(socket));
  }

  #remove(socket: Socket): void {
    const connection = this.#open.get(socket);
    if (connection === undefined) return;
    this.#setBusy(socket, connection);
    this.#open.delete(socket);
    if (!this.#surplus.delete(socket))
      for (const share of connection.shares) if (--share.count === 0) this.#shares.delete(share.name);
    this.#noteCrowd();
  }

  #close(socket: Socket | undefined): void {
    if (socket === undefined) return;
    this.#remove(socket);
    socket.destroy();
  }

  get #placesLeft(): number {
    return this.#max - (this.#open.size - this.#surplus.size);
  }

  /** A quarter of all places, somewhat more for its networks. */
  #sharesOf(address: string): Share[] {
    if (this.#isProxy(address)) return [];
    const client = toClient(address);
    const wider = networksOf(client).map(({ name, bits }) => ({ name, part: networkParts[bits] }));
    return [{ name: client, part: addressPart }, ...wider].map(({ name, part }) => {
      const most = Math.max(1, Math.floor(this.#max * part));
      return this.#shares.get(name) ?? { name, most, count: 0, idle: new Set() };
    });
  }

  #seat(socket: Socket, connection: Connection): void {
    connection.surplus = false;
    this.#surplus.delete(socket);
    connection.shares = connection.shares.map((share) => this.#shares.get(share.name) ?? share);
    for (const share of connection.shares) {
      this.#shares.set(share.name, share);
      share.count++;
    }
    if (connection.response === undefined) this.#setIdle(socket, connection);
    this.#noteCrowd();
  }

  #setIdle(socket: Socket, connection: Connection): void {
    connection.idleSince = performance.now();
    if (connection.surplus || connection.shares.length === 0 || !this.#open.has(socket)) return;
    this.#idle.add(socket);
    for (const { idle } of connection.shares) idle.add(socket);
  }

  #setBusy(socket: Socket, { shares }: Connection): void {
    this.#idle.delete(socket);
    for (const { idle } of shares) idle.delete(socket);
  }

  #noteCrowd(): void {
    const isCrowded = this.#placesLeft <= this.#max * crowdedPart;
    this.crowdedSince = isCrowded ? (this.crowdedSince ?? Date.now()) : undefined;
  }

  #handle(request: IncomingMessage, response: ServerResponse, handler: Handler): void {
    const connection = this.#open.get(request.socket);
    if (connection !== undefined && this.#pilesUp(request.socket, connection)) return;
    if (connection !== undefined) this.#follow(request.socket, connection, response);
    if (this.draining) response.shouldKeepAlive = false;
    const wrong = wrongHost(request);
    if (wrong !== undefined) {
      answerRefused(response, "unreadable_request", wrong);
      return;
    }
    if (connection?.surplus === true && !this.#admits(request.socket, request.url ?? "", connection)) {
      this.#refused++;
      answerRefused(response, "overloaded");
      return;
    }
    handler(request, response);
  }

  /** Busy until the last response is done. */
  #follow(socket: Socket, connection: Connection, response: ServerResponse): void {
    connection.response = response;
    this.#setBusy(socket, connection);
    response.once("close", () => {
      if (connection.response === response || connection.response === undefined) this.#setIdle(socket, connection);
    });
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

  /**
   * For a request without a place the longest idle connection is closed: of its own address where that has its share, else of all.
   * Monitoring is always answered.
   */
  #admits(socket: Socket, path: string, connection: Connection): boolean {
    if (watchedPaths.has(path)) return true;
    const shares = connection.shares.map((share) => this.#shares.get(share.name) ?? share);
    for (const share of shares) if (!hasPlace(share)) this.#close(firstOf(share.idle));
    if (!shares.every(hasPlace)) return false;
    if (this.#placesLeft <= 0) this.#close(firstOf(this.#idle));
    if (this.#placesLeft <= 0) return false;
    this.#seat(socket, connection);
    return true;
  }

  /** The sooner the fewer places are left; above a half Node.js does it. */
  #closeIdle(now: number): void {
    const left = Math.max(0, this.#placesLeft) / this.#max;
    if (left >= 1 / 2) return;
    const most = Math.max(shortestIdleMs, this.#deadlines.idle * 2 * left);
    for (const socket of this.#idle) {
      if (now - (this.#open.get(socket)?.idleSince ?? now) <= most) return;
      this.#close(socket);
    }
  }

  /** Peers that do not read, or do not close after us. */
  #sweep(): void {
    const now = performance.now();
    this.#closeIdle(now);
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

/** RFC 9112 section 3.2: HTTP/1.1 wants one; two are an error. */
function wrongHost({ headers, httpVersion, rawHeaders }: IncomingMessage): string | undefined {
  if (headers.host === undefined) return httpVersion === "1.1" ? "The Host header is missing." : undefined;
  const hosts = rawHeaders.filter((name, place) => place % 2 === 0 && name.toLowerCase() === "host");
  return hosts.length > 1 ? "There are two Host headers." : undefined;
}

function firstOf(sockets: ReadonlySet<Socket>): Socket | undefined {
  const [first] = sockets;
  return first;
}

const hasPlace = ({ count, most }: Share): boolean => count < most;

/** Of all places: IPv4 address or IPv6 /64, and networks around it. */
const addressPart = 1 / 4;
const networkParts = { 56: 3 / 8, 48: 1 / 2 } as const;
/** Free places; below: crowded. */
const crowdedPart = 1 / 10;
const shortestIdleMs = 2_000;

/** Ms from opening to the request it was opened for. */
const firstRequestMs = 500;

const watchedPaths: ReadonlySet<string> = new Set(["/healthz", "/readyz", "/metrics"]);
