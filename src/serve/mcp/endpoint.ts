import type { IncomingHttpHeaders } from "node:http";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { isJsonObject, parseJson } from "../../kernel/canonical.ts";
import { serviceLimits } from "../../kernel/limits.ts";
import type { Catalog } from "../../rules/ruleset/catalog.ts";
import { createHostCheck, isLoopbackName } from "../http/host-guard.ts";
import { sendJson, whenGone } from "../http/reply.ts";
import type { ServerOptions } from "../http/server.ts";
import type { Caller } from "../service/caller.ts";
import { oneOriginHeaders, oneOriginPreflightHeaders } from "../service/cors.ts";
import type { Headers } from "../service/payment-headers.ts";
import type { Service } from "../service/service.ts";
import { appResource, instructions, listResources } from "./definitions.ts";
import { createPictureReader, type PictureSource } from "./picture-app/picture-resource.ts";
import {
  batch,
  findProblem,
  foreign,
  idOf,
  internal,
  limited,
  notJson,
  type Problem,
  problemOf,
  refuse,
  tooDeep,
} from "./problem.ts";
import { createSdkPath, type Exchange, type SdkPath } from "./sdk-path.ts";
import { addServerCard } from "./server-card.ts";
import type { Tool } from "./tool.ts";
import type { ToolResponse } from "./tool-response.ts";
import { createExplainTool, createPassTool, createPreviewTool, createViewTool } from "./tools.ts";

interface OriginGuardOptions {
  host: string;
  /** Without port. */
  hosts: readonly string[];
  /** Web pages; `*`: any. */
  origins: readonly string[];
}

/** `origin`: allowed, of a web page. */
type Verdict = { allowed: true; origin: string | undefined } | { allowed: false; reason: string };

/** Origin, and Host as createHostCheck. */
export function createOriginGuard({ host, hosts, origins }: OriginGuardOptions) {
  const local = isLoopbackName(host);
  const isOwnHost = createHostCheck({ host, hosts });
  const pages = new Set(origins.map((origin) => origin.toLowerCase()));
  const anyPage = pages.has("*");

  function isOurs(origin: string): boolean {
    if (anyPage || pages.has(origin.toLowerCase())) return true;
    return local && URL.canParse(origin) && isLoopbackName(new URL(origin).hostname);
  }

  return ({ host: header, origin }: IncomingHttpHeaders): Verdict => {
    if (!isOwnHost(header)) return { allowed: false, reason: "The Host header names another host." };
    if (origin === undefined) return noOrigin;
    if (isOurs(origin)) return { allowed: true, origin };
    return { allowed: false, reason: "Pages of this origin may not call this server." };
  };
}

const noOrigin: Verdict = { allowed: true, origin: undefined };

/** A problem: no JSON, too deep, or a batch. */
export function readMessage(body: string): { message: unknown } | { problem: Problem } {
  if (isDeep(body)) return { problem: tooDeep };
  try {
    const message = parse(body);
    return Array.isArray(message) ? { problem: batch } : { message };
  } catch {
    return { problem: notJson };
  }
}

function parse(body: string): unknown {
  // A parser may ignore a byte order mark (RFC 8259 section 8.1).
  return JSON.parse(body.charCodeAt(0) === 0xfeff ? body.slice(1) : body);
}

/** Later code is recursive: the stack. */
function isDeep(body: string): boolean {
  let depth = 0;
  let inText = false;
  for (let at = 0; at < body.length; at++) {
    const code = body.charCodeAt(at);
    if (inText) {
      if (code === backslash) at++;
      else if (code === quote) inText = false;
    } else if (code === quote) inText = true;
    else if (code === bracket || code === brace) {
      if (++depth > serviceLimits.messageDepthMax) return true;
    } else if (code === bracket + 2 || code === brace + 2) depth--;
  }
  return false;
}

const [quote, backslash, bracket, brace] = [0x22, 0x5c, 0x5b, 0x7b];

/** Without `viewer` no `view_transaction`. */
export interface McpEndpointOptions extends OriginGuardOptions, SharedOptions {
  /** MCP Apps; else no pictures. */
  pictures?: PictureSource;
  catalog: Catalog;
  moreTools?: readonly Tool[];
}

/** Shared with HTTP. */
type SharedOptions = Pick<ServerOptions, "service" | "viewer" | "version" | "publicUrl" | "actionTypes" | "log">;

/** `POST /mcp`: tools that do what HTTP does, and resources about the rules. Streamable HTTP without sessions, every revision. */
export function addMcpEndpoint(app: FastifyInstance, options: McpEndpointOptions): void {
  const { service, pictures, version, catalog, log } = options;
  const serverInfo = { name: "txgloss", title: "txgloss", version };
  const appPage = pictures && appResource(version);
  const tools = createTools(options, appPage?.uri);
  const judge = createOriginGuard(options);
  const resources = [...listResources(catalog), ...(appPage ? [appPage] : [])];
  const readPicture = pictures && createPictureReader(pictures);
  const sdk = createSdkPath({ serverInfo, instructions, tools, resources, readPicture });
  const answer = createAnswer(service, sdk);

  async function handle(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const verdict = judge(request.headers);
    if (!verdict.allowed) return refuse(reply, foreign(verdict.reason));
    if (verdict.origin !== undefined) reply.headers(oneOriginHeaders(verdict.origin));
    const problem = findProblem(request);
    if (problem !== undefined) return refuseCounted(request, reply, problem);
    const read = readMessage(request.body as string);
    if ("problem" in read) return refuseCounted(request, reply, read.problem);
    return answer(read.message, request, reply);
  }

  /** Counts as ended without an explanation. */
  function refuseCounted(request: FastifyRequest, reply: FastifyReply, problem: Problem): void {
    const limit = limitOf(() => service.countMistake(callerOf(request)));
    refuse(reply, limit ?? problem);
  }

  function onError(error: { stack?: string }, _request: FastifyRequest, reply: FastifyReply): void {
    const problem = problemOf(error);
    if (problem === internal) log.error({ event: "internal", transport: "mcp", cause: error.stack ?? String(error) });
    refuse(reply, problem);
  }

  app.post("/mcp", { bodyLimit: serviceLimits.messageBytesMax, errorHandler: onError }, handle);
  app.options("/mcp", (request, reply) => {
    const verdict = judge(request.headers);
    if (!verdict.allowed) return refuse(reply, foreign(verdict.reason));
    const { origin } = verdict;
    if (origin !== undefined) reply.headers({ ...oneOriginHeaders(origin), ...oneOriginPreflightHeaders });
    return reply.header("allow", "OPTIONS, POST").code(204).send();
  });
  addServerCard(app, options);
  // So that the first message does not wait.
  app.addHook("onListen", async () => void sdk.open());
  // The server stops meanwhile.
  app.addHook("preClose", async () => void sdk.close().catch(() => {}));
}

/** As in `tools/list`. `appUri`: page for explanations. */
function createTools(
  { service, viewer, actionTypes, moreTools = [] }: McpEndpointOptions,
  appUri: string | undefined,
): readonly Tool[] {
  const { previews } = service;
  const previewing = previews === null ? [] : [createPreviewTool(service, previews, actionTypes)];
  const views = viewer === undefined ? [] : [createViewTool(service, viewer, actionTypes)];
  const answering = [createExplainTool(service, actionTypes, appUri), ...previewing, ...views];
  return [...answering, createPassTool(service), ...moreTools];
}

function createAnswer(service: Service, sdk: SdkPath) {
  /** Without tool work. Returns the problem of too many. */
  const countMessage = (request: FastifyRequest) =>
    limitOf(() => service.countMessage(callerOf(request), serviceLimits.messageWeight));

  return async (message: unknown, request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { headers, raw } = request;
    // Tools count calls; those the SDK refuses count as messages.
    const calls = isJsonObject(message) && message.method === "tools/call";
    const early = calls ? undefined : countMessage(request);
    if (early !== undefined) return refuse(reply, early, idOf(message));
    const exchange: Exchange = { caller: { connection: raw.socket, headers, gone: whenGone(reply) } };
    const answered = await sdk.answer(message, exchange, whenGone(reply)());
    const { response, thrown } = exchange;
    // The SDK's words tell what broke inside.
    if (thrown !== undefined) throw thrown.error;
    const late = calls && response === undefined ? countMessage(request) : undefined;
    if (late !== undefined) return refuse(reply, late, idOf(message));
    if (response !== undefined && asksByStatus(reply, response)) return;
    const method = isJsonObject(message) ? message.method : undefined;
    const told = response === undefined ? await tellBadParams(answered, method) : answered;
    await sendResponse(reply, told, response?.headers ?? {});
  };
}

/** No plain tool call. Returns the problem of too many. */
function limitOf(count: () => void): Problem | undefined {
  try {
    count();
    return undefined;
  } catch (error) {
    return limited(error);
  }
}

function callerOf({ raw, headers }: FastifyRequest): Caller {
  return { connection: raw.socket, headers };
}

/** 402, as x402 for HTTP. MCP clients fail on it; they name their revision in a header, so only callers without it get 402. True: done. */
function asksByStatus(reply: FastifyReply, { challenge, headers = {} }: ToolResponse): boolean {
  if (challenge === undefined || reply.request.headers["mcp-protocol-version"] !== undefined) return false;
  sendJson(reply.headers(headers), 402, challenge.body);
  return true;
}

/** -32602 (Invalid params) in one sentence; the SDK's validator findings are partly -32603, though nothing is broken. */
async function tellBadParams(response: Response, method: unknown): Promise<Response> {
  if (!response.headers.get("content-type")?.startsWith("application/json")) return response;
  const text = await response.text();
  const body = parseJson(text);
  const error = isJsonObject(body) ? body.error : undefined;
  const place = isJsonObject(error) ? placeIn(error.message) : undefined;
  const { status } = response;
  const init = { status, headers: { "content-type": "application/json" } };
  if (place === undefined) return new Response(text, init);
  const message = `The parameters of ${String(method)} do not fit: ${place} is missing or has the wrong type.`;
  return new Response(JSON.stringify({ ...(body as object), error: { code: -32_602, message } }), init);
}

/** `params.uri`; undefined: no findings. */
function placeIn(message: unknown): string | undefined {
  if (typeof message !== "string") return undefined;
  const findings = parseJson(message.slice(Math.max(0, message.indexOf("["))));
  const [first] = Array.isArray(findings) ? findings : [];
  const path = isJsonObject(first) ? first.path : undefined;
  return Array.isArray(path) ? path.map(String).join(".").slice(0, 100) : undefined;
}

/** JSON, empty, or a stream. */
export async function sendResponse(reply: FastifyReply, response: Response, headers: Headers): Promise<void> {
  reply.headers(headers);
  if (response.headers.get("content-type")?.startsWith("text/event-stream")) return void reply.send(response);
  reply.code(response.status).header("cache-control", "no-store");
  if (response.body === null) return void reply.send();
  const body = Buffer.from(await response.arrayBuffer());
  reply.header("content-type", "application/json; charset=utf-8").send(body);
}
