import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from "fastify";
import { errorTable, ServiceError } from "../kernel/error.ts";
import { limits } from "../kernel/limits.ts";
import type { Logger } from "../kernel/logger.ts";
import { createProbe } from "../kernel/probe.ts";
import { anyOriginHeaders, anyOriginPreflightHeaders } from "../service/cors.ts";
import { describeFailure, toServiceError } from "../service/failure.ts";
import type { Service } from "../service/service.ts";
import { addOpenapiRoute } from "./openapi.ts";
import { sendFailure } from "./reply.ts";
import { addExplainRoute } from "./routes/explain.ts";
import { addHealthRoute, type HealthRouteOptions, type ReadHead } from "./routes/health.ts";
import { addMetricsRoute } from "./routes/metrics.ts";
import { addPassRoute } from "./routes/pass.ts";

export interface ServerOptions {
  service: Service;
  /** The newest block; null: unknown. It may be slow. */
  readHead: ReadHead;
  /** How each endpoint answers. Asks nobody. */
  health?: HealthRouteOptions["endpoints"];
  version: string;
  /** Hash of rules, labels and engine version. */
  ruleset: string;
  /** Every value of action_type. */
  actionTypes: readonly string[];
  log: Logger;
}

/**
 * The HTTP server, not yet listening. Other transports on the same port add their routes to it; it answers 405 for other methods of
 * their paths.
 */
export function createServer(options: ServerOptions): FastifyInstance {
  const { service, log, version, ruleset, actionTypes } = options;
  const app = Fastify({
    bodyLimit: limits.bodyBytesMax,
    requestIdHeader: false,
    logController: new LogController({ disableRequestLogging: true }),
    // Requests that arrive on open connections while stopping are still answered.
    return503OnClosing: false,
    forceCloseConnections: "idle",
    requestTimeout: requestTimeoutMs,
    frameworkErrors: (error, _request, reply) => {
      sendFailure(reply, describeFailure(toServiceError(error), log));
    },
    http: { maxHeaderSize: limits.headerBytesMax },
    clientErrorHandler: (error, socket) => {
      if (socket.writable) socket.end(answerUnread(error.code));
      else socket.destroy();
    },
  });
  const unrouted = { methodsOf: recordMethods(app), cors: service.access !== null, log };

  // Bodies stay text. Each route parses its own.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("application/json", { parseAs: "string" }, (_request, body, done) => done(null, body));
  app.setNotFoundHandler((request, reply) => sendUnrouted(request, reply, unrouted));
  app.setErrorHandler((error, request, reply) => {
    // An unknown path is answered with 404, also when the body is broken.
    if (request.is404) return sendUnrouted(request, reply, unrouted);
    return sendFailure(reply, describeFailure(toServiceError(error), log));
  });

  addExplainRoute(app, { service, ruleset });
  addPassRoute(app, service);
  addHealthRoute(app, {
    service,
    version,
    ruleset,
    endpoints: options.health ?? (() => []),
    head: createProbe(options.readHead, null, { freshMs: 5_000, waitMs: 500 }),
  });
  addMetricsRoute(app, { service, version });
  addOpenapiRoute(app, { version, ruleset, actionTypes });
  return app;
}

/** Answers a request that no route takes: OPTIONS with 204 and Allow, another method of a known path with 405, else 404. */
function sendUnrouted(
  request: FastifyRequest,
  reply: FastifyReply,
  { methodsOf, cors, log }: { methodsOf: (path: string) => string[]; cors: boolean; log: Logger },
): FastifyReply {
  const methods = methodsOf(request.url.split("?", 1)[0] ?? "");
  if (methods.length === 0) return sendFailure(reply, describeFailure(new ServiceError("not_found"), log));
  const allow = [...new Set([...methods, "OPTIONS"])].join(", ");
  reply.header("allow", allow);
  if (cors) reply.headers({ ...anyOriginHeaders, ...anyOriginPreflightHeaders, "access-control-allow-methods": allow });
  if (request.method === "OPTIONS") return reply.code(204).send();
  const error = new ServiceError("method_not_allowed", `This path answers ${allow}.`);
  return sendFailure(reply, describeFailure(error, log));
}

/** How long receiving one request may take. */
const requestTimeoutMs = 15_000;

/** The response when Node cannot read a request. Only headers that are too large get a reason. */
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

/** Which methods each path has, read from the routes. */
function recordMethods(app: FastifyInstance): (path: string) => string[] {
  const methods = new Map<string, Set<string>>();
  app.addHook("onRoute", (route) => {
    const known = methods.get(route.url) ?? new Set<string>();
    for (const method of [route.method].flat()) known.add(method);
    methods.set(route.url, known);
  });
  return (path) => [...(methods.get(path) ?? [])].sort();
}
