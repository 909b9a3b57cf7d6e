import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { isJsonObject } from "../../kernel/canonical.ts";
import { serviceLimits } from "../../kernel/limits.ts";
import type { Catalog } from "../../rules/ruleset/catalog.ts";
import { sendJson, setHeaders, whenGone } from "../http/reply.ts";
import type { ServerOptions } from "../http/server.ts";
import type { Caller } from "../service/caller.ts";
import { oneOriginHeaders, oneOriginPreflightHeaders } from "../service/cors.ts";
import type { Service } from "../service/service.ts";
import { appResource, instructions, listResources } from "./definitions.ts";
import { readMessage } from "./message.ts";
import { createOriginGuard, type OriginGuardOptions } from "./origin-guard.ts";
import { createPictureReader, type PictureSource } from "./picture-app/picture-resource.ts";
import { tellBadParams } from "./plain-error.ts";
import { findProblem, foreign, idOf, internal, limited, type Problem, problemOf, refuse } from "./problem.ts";
import { sendResponse } from "./reply.ts";
import { createSdkPath, type Exchange, type SdkPath } from "./sdk-path.ts";
import { addServerCard } from "./server-card.ts";
import type { Tool } from "./tool.ts";
import type { ToolResponse } from "./tool-response.ts";
import { createExplainTool, createPassTool, createPreviewTool, createViewTool } from "./tools.ts";

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
  /** A message without tool work. Returns the problem where the client sent too many. */
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
    await sendResponse(reply, told, response?.headers ?? []);
  };
}

/** For what is no plain tool call. Returns the problem where the client sent too many. */
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
function asksByStatus(reply: FastifyReply, { challenge, headers = [] }: ToolResponse): boolean {
  if (challenge === undefined || reply.request.headers["mcp-protocol-version"] !== undefined) return false;
  sendJson(setHeaders(reply, headers), 402, challenge.body);
  return true;
}
