import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest, LogController } from "fastify";
import type { Viewer } from "../../gather/explain/viewer.ts";
import { ServiceError } from "../../kernel/error.ts";
import { serviceLimits } from "../../kernel/limits.ts";
import type { Logger } from "../../kernel/logger.ts";
import { createProbe } from "../../kernel/probe.ts";
import type { ProtocolFacts } from "../../model/told/protocol-facts.ts";
import { exampleOf } from "../access/payment/discovery.ts";
import { readPassTender } from "../service/caller.ts";
import { allowPages, anyOriginHeaders, anyOriginPreflightHeaders, type PagePolicy } from "../service/cors.ts";
import { describeFailure, toServiceError } from "../service/failure.ts";
import type { Sale } from "../service/outcome.ts";
import { paymentHeaders } from "../service/payment-headers.ts";
import type { Service } from "../service/service.ts";
import type { PassRequest } from "../service/service-request.ts";
import type { AnswerContext } from "./answer-route.ts";
import { addBatchRoute } from "./batch/batch-route.ts";
import { Connections } from "./connections.ts";
import { createHostCheck, isLoopbackName } from "./host-guard.ts";
import { addOpenapiRoute, buildOpenapi, listOperations } from "./openapi.ts";
import { createOperatorCheck } from "./operator.ts";
import { addPreviewPage } from "./preview-page/preview-page.ts";
import { sendChallengeOrFailure, sendFailure, sendJson } from "./reply.ts";
import { addEvidenceRoute, addExplainRoute, addPreviewRoute, addViewRoute } from "./routes/answers.ts";
import { addDiscoveryRoutes } from "./routes/discovery.ts";
import { addHealthRoutes, type ReadHead } from "./routes/health.ts";
import { addMetricsRoute, type ProcessCounts } from "./routes/metrics.ts";
import { addPages } from "./routes/pages.ts";
import { addTransactionPages } from "./routes/transaction-pages.ts";
import { sendFailureAsAsked } from "./send-page.ts";
import type { StateOptions } from "./state.ts";
import type { PageMaker } from "./transaction-answers.ts";

/** People paste texts into paths. */
export const paramCharsMax = 2_000;

/** Of routes added from now on, by path. */
export function recordMethods(app: FastifyInstance): (path: string) => string[] {
  const routes: { pattern: RegExp; methods: string[] }[] = [];
  app.addHook("onRoute", ({ url, method }) => {
    routes.push({ pattern: patternOf(url), methods: [method].flat() });
  });
  return (path) => {
    const found = routes.filter(({ pattern }) => pattern.test(path));
    return [...new Set(found.flatMap(({ methods }) => methods))].sort();
  };
}

/** `/tx/:hash.json`: `/tx/`, any text, `.json`. */
function patternOf(url: string): RegExp {
  const fixed = url.split(/:\w+/).map((text) => text.replace(/[^\w/-]/g, "\\$&"));
  return new RegExp(`^${fixed.join(`[^/]{0,${paramCharsMax}}`)}$`);
}

export interface ServerOptions {
  service: Service;
  /** Absent: no `/view`. */
  viewer?: Viewer;
  /** null: unknown; may be slow. */
  readHead: ReadHead;
  /** Asks no endpoint. */
  health?: StateOptions["endpoints"];
  version: string;
  /** Of rules, labels and engine version. */
  ruleset: string;
  /** undefined: texts leave it out. */
  publicUrl?: string | undefined;
  /** Every value of action_type. */
  actionTypes: readonly string[];
  log: Logger;
  /** Default: the usual limits. */
  connections?: Connections;
  /** null: this machine's callers, where nothing is charged and nobody else is served. */
  adminToken?: string | null;
  /** To listen on; default loopback. */
  host?: string;
  /** Without port; absent: no Host header is checked. */
  hosts?: readonly string[];
  /** May call where nothing is charged; `*`: any. */
  corsOrigins?: readonly string[];
  process?: () => ProcessCounts;
  /** null: no pages. */
  web?: WebOptions | null;
}

export interface WebOptions extends PageMaker {
  protocols: readonly ProtocolFacts[];
  /** `/docs`; default true. */
  reference?: boolean;
}

/** Does not listen. Other transports add their routes; it answers 405 for other methods. */
export function createServer(options: ServerOptions): FastifyInstance {
  const { service, log, version, ruleset, connections = new Connections() } = options;
  const sendWrong = options.web == null ? sendFailure : sendFailureAsAsked;
  const app = Fastify({
    bodyLimit: serviceLimits.bodyBytesMax,
    routerOptions: { maxParamLength: paramCharsMax },
    requestIdHeader: false,
    logController: new LogController({ disableRequestLogging: true }),
    // While stopping, requests on open connections are still answered.
    return503OnClosing: false,
    forceCloseConnections: "idle",
    frameworkErrors: (error, _request, reply) => {
      sendWrong(reply, describeFailure(toServiceError(error), log));
    },
    serverFactory: (handler) => connections.createServer(handler),
    clientErrorHandler: (error, socket) => connections.refuseUnread(error, socket),
  });
  // Where calls are charged, any page may call: there are no cookies that a page could misuse.
  const pages = allowPages(service.access === null ? (options.corsOrigins ?? []) : ["*"]);
  const unrouted = { methodsOf: recordMethods(app), metered: service.access !== null, pages, log, sendWrong };

  // Bodies stay text, and each route parses its own.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("application/json", { parseAs: "string" }, (_request, body, done) => done(null, body));
  app.addContentTypeParser("*", (request, _payload, done) => {
    // Without a body there is nothing to refuse, whatever type the header names.
    if (hasBody(request)) done(wrongMediaType(request));
    else done(null, undefined);
  });
  app.setNotFoundHandler((request, reply) => sendUnrouted(request, reply, unrouted));
  app.setErrorHandler((error, request, reply) => {
    const failure = toServiceError(error);
    // An unknown path gets 404, even when the body is broken.
    if (request.is404 && failure.code !== "foreign_host") return sendUnrouted(request, reply, unrouted);
    return sendWrong(reply, describeFailure(failure, log));
  });

  if (options.hosts !== undefined) guardHost(app, options.host ?? "localhost", options.hosts);
  const context = { service, ruleset, pages };
  addExplainRoute(app, context);
  addBatchRoute(app, { ...context, connections });
  addEvidenceRoute(app, context);
  if (options.viewer !== undefined) addViewRoute(app, options.viewer, context);
  if (options.web != null) addWeb(app, context, options, options.web);
  if (service.previews !== null) addPreviewRoute(app, service.previews, context);
  addPassRoute(app, service);
  const isPrivate = service.access === null && isLoopbackName(options.host ?? "localhost");
  const isOperator = createOperatorCheck(options.adminToken ?? null, isPrivate);
  const state = { service, connections, endpoints: options.health ?? (() => []), version, isOperator };
  const head = createProbe(options.readHead, null, { freshMs: 5_000, waitMs: 500 });
  addHealthRoutes(app, { ...state, ruleset, head });
  addMetricsRoute(app, { ...state, process: options.process ?? countNothing });
  addDescriptions(app, options);
  return app;
}

/** Not for MCP, which has its own form. */
function guardHost(app: FastifyInstance, host: string, hosts: readonly string[]): void {
  const isOwnHost = createHostCheck({ host, hosts });
  app.addHook("onRequest", async ({ headers, url }) => {
    // Browsers always send the header; health checks of HTTP/1.0 do not.
    if (headers.host === undefined || isOwnHost(headers.host) || /^\/mcp(?:\?|$)/.test(url)) return;
    throw new ServiceError("foreign_host");
  });
}

function hasBody({ headers }: FastifyRequest): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
}

function addDescriptions(app: FastifyInstance, options: ServerOptions): void {
  const { service, viewer, version, ruleset, actionTypes, web } = options;
  const prices = service.access?.prices ?? null;
  addOpenapiRoute(app, { version, ruleset, actionTypes, prices, service });
  const has = { view: viewer !== undefined, preview: service.previews !== null, web: web != null };
  addDiscoveryRoutes(app, { publicUrl: options.publicUrl ?? prices?.publicUrl, prices, has });
}

function addWeb(app: FastifyInstance, context: AnswerContext, options: ServerOptions, web: WebOptions): void {
  const { viewer, version, actionTypes } = options;
  const { previews } = context.service;
  addTransactionPages(app, context, { ...web, viewer });
  if (previews !== null) addPreviewPage(app, context, previews, web.decide);
  const operations = listOperations(buildOpenapi({ version, actionTypes }));
  const { protocols, reference = true } = web;
  const { ruleset, service } = context;
  addPages(app, { ruleset, protocols, operations, previews: previews !== null, reference, service });
}

interface UnroutedOptions {
  methodsOf: (path: string) => string[];
  metered: boolean;
  pages: PagePolicy;
  log: Logger;
  sendWrong: typeof sendFailure;
}

/** OPTIONS: 204 with Allow; known path: 405; else 404. */
function sendUnrouted(
  request: FastifyRequest,
  reply: FastifyReply,
  { methodsOf, metered, pages, log, sendWrong }: UnroutedOptions,
): FastifyReply {
  const path = request.url.split("?", 1)[0] ?? "";
  const methods = methodsOf(path);
  if (methods.length === 0) return sendWrong(reply, describeFailure(new ServiceError("not_found"), log));
  const allow = [...new Set([...methods, "OPTIONS"])].join(", ");
  reply.header("allow", allow);
  if (metered || crossOriginPaths.has(path)) {
    const cors = pages.headersFor(request.headers.origin);
    reply.headers(cors);
    if ("access-control-allow-origin" in cors)
      reply.headers({ ...anyOriginPreflightHeaders, "access-control-allow-methods": allow });
  }
  if (request.method === "OPTIONS") return reply.code(204).send();
  const error = new ServiceError("method_not_allowed", `This path answers ${allow}.`);
  return sendWrong(reply, describeFailure(error, log));
}

/** Where the operator lists the origin. */
const crossOriginPaths: ReadonlySet<string> = new Set(["/explain", "/explain/batch", "/view", "/preview"]);

const countNothing = (): ProcessCounts => ({ log_lines_dropped: 0, rejections: 0, exceptions: 0 });

/** Not JSON; shows an example for this path. */
function wrongMediaType({ headers, routeOptions: { url = "" } }: FastifyRequest): ServiceError {
  const wrong =
    headers["content-type"] === undefined
      ? "The Content-Type header is missing."
      : "The Content-Type is not application/json.";
  const example = exampleOf(url);
  const right =
    example === undefined ? "" : ` Send for example: Content-Type: application/json, ${JSON.stringify(example)}`;
  return new ServiceError("unsupported_media_type", `${wrong}${right}`);
}

/** `POST /pass`; the body is not read. */
function addPassRoute(app: FastifyInstance, service: Service): void {
  const cors = service.access === null ? {} : anyOriginHeaders;
  const send = (reply: FastifyReply, outcome: Sale) => {
    if (outcome.kind !== "bought") return sendChallengeOrFailure(reply, outcome, cors);
    return sendJson(reply.headers({ ...paymentHeaders(outcome), ...anyOriginHeaders }), 200, outcome.body);
  };
  app.post(
    "/pass",
    {
      errorHandler: (error, request, reply) => {
        void Promise.resolve(service.fail(error, toServiceRequest(request))).then((outcome) => send(reply, outcome));
      },
    },
    async (request, reply) => send(reply, await service.sellPass(toServiceRequest(request))),
  );
}

function toServiceRequest(request: FastifyRequest): PassRequest {
  const caller = { connection: request.raw.socket, headers: request.headers };
  return {
    transport: "http",
    product: "pass",
    resource: "/pass",
    caller,
    read() {
      return readPassTender(caller);
    },
  };
}
