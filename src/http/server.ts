import Fastify, { type FastifyInstance, LogController } from "fastify";
import type { Access } from "../access/open.ts";
import type { Explainer } from "../explain/explain.ts";
import { errorTable } from "../kernel/error.ts";
import { limits } from "../kernel/limits.ts";
import type { Log } from "../kernel/log.ts";
import { sendFailure, sendUnrouted, toServiceError } from "./failure.ts";
import { createHeadWatch, type ReadHead } from "./head-watch.ts";
import { createMeteredFailure } from "./metered-failure.ts";
import type { Outcomes } from "./outcomes.ts";
import { addExplainRoute } from "./routes/explain.ts";
import { addHealthRoute } from "./routes/health.ts";
import { addMetricsRoute } from "./routes/metrics.ts";
import { addOpenapiRoute } from "./routes/openapi.ts";
import { addPassRoute } from "./routes/pass.ts";

export interface ServerOptions {
  explainer: Explainer;
  /** The newest block; null when unknown. May be slow or hang: it is waited for half a second at most. */
  readHead: ReadHead;
  version: string;
  /** Hash of rules, labels and engine version. */
  ruleset: string;
  /** Every value of action_type. */
  actionTypes: readonly string[];
  outcomes: Outcomes;
  log: Log;
  /** What is charged, and how; absent when everything is free. */
  access?: Access | null;
}

/**
 * The HTTP server, not yet listening. It is given everything and reads nothing from its surroundings. Another server on the same
 * port (its own routes) is added to what is returned; unknown methods of its paths are then answered with 405 too.
 */
export function createServer(options: ServerOptions): FastifyInstance {
  const { log, outcomes, version, ruleset, access = null } = options;
  const app = Fastify({
    bodyLimit: limits.bodyBytesMax,
    requestIdHeader: false,
    logController: new LogController({ disableRequestLogging: true }),
    // Requests that arrive on open connections while stopping are still answered.
    return503OnClosing: false,
    forceCloseConnections: "idle",
    requestTimeout: requestTimeoutMs,
    frameworkErrors: (error, _request, reply) => {
      sendFailure(reply, toServiceError(error), log);
    },
    http: { maxHeaderSize: limits.headerBytesMax },
    clientErrorHandler: (error, socket) => {
      if (socket.writable) socket.end(answerUnread(error.code));
      else socket.destroy();
    },
  });
  const methodsOf = recordMethods(app);

  // Bodies stay text: each route reads its own, and no route pays for another's parser.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("application/json", { parseAs: "string" }, (_request, body, done) => done(null, body));
  app.setNotFoundHandler((request, reply) => sendUnrouted(request, reply, { methodsOf, cors: access !== null, log }));
  app.setErrorHandler((error, request, reply) => {
    // A body that cannot be parsed is no reason to hide that there is no such path.
    if (request.is404) return sendUnrouted(request, reply, { methodsOf, cors: access !== null, log });
    return sendFailure(reply, toServiceError(error), log);
  });

  const fail = access === null ? null : createMeteredFailure({ access, log });
  addExplainRoute(app, { explainer: options.explainer, ruleset, outcomes, log, access, fail });
  addPassRoute(app, { access, fail });
  addHealthRoute(app, { version, ruleset, outcomes, access, head: createHeadWatch(options.readHead) });
  addMetricsRoute(app, { version, outcomes, access });
  addOpenapiRoute(app, { version, ruleset, actionTypes: options.actionTypes });
  return app;
}

/** For receiving one whole request; a client that dribbles is cut off. */
const requestTimeoutMs = 15_000;

/** For what Node could not read as a request: headers that are too large get a reason, what is not HTTP gets none. */
function answerUnread(code: string | undefined): string {
  if (code !== "HPE_HEADER_OVERFLOW")
    return "HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";
  const { status, meaning, retryable } = errorTable.headers_too_large;
  const body = JSON.stringify({ error: "headers_too_large", message: meaning, retryable });
  return [
    `HTTP/1.1 ${status} Request Header Fields Too Large`,
    "Connection: close",
    "Content-Type: application/json; charset=utf-8",
    "Cache-Control: no-store",
    `Content-Length: ${Buffer.byteLength(body)}`,
    "",
    body,
  ].join("\r\n");
}

/** Which methods each path answers, known from the routes themselves. */
function recordMethods(app: FastifyInstance): (path: string) => string[] {
  const methods = new Map<string, Set<string>>();
  app.addHook("onRoute", (route) => {
    const known = methods.get(route.url) ?? new Set<string>();
    for (const method of [route.method].flat()) known.add(method);
    methods.set(route.url, known);
  });
  return (path) => [...(methods.get(path) ?? [])].sort();
}
