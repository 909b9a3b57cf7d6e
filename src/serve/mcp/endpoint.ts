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

/** Options of the endpoint. Without `viewer` there is no `view_transaction`. */
export interface McpEndpointOptions extends OriginGuardOptions, SharedOptions {
  /** Draws results for hosts that show pages (MCP Apps). Without it there are no pictures. */
  pictures?: PictureSource;
  catalog: Catalog;
  /** Further tools beside our own. */
  moreTools?: readonly Tool[];
}

/** The options that it shares with the HTTP server. */
type SharedOptions = Pick<ServerOptions, "service" | "viewer" | "version" | "publicUrl" | "actionTypes" | "log">;

/**
 * Adds `POST /mcp` to a server: tools that do what HTTP does, and resources that list what the rules cover. It is streamable HTTP without
 * sessions, and it serves every revision of the protocol.
 */
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

  /** Refuses a message, and counts it like any other request that ends without an explanation. */
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
  // Loaded in the background, so that the first message does not wait for it.
  app.addHook("onListen", async () => void sdk.open());
  // Not awaited: the server stops meanwhile.
  app.addHook("preClose", async () => void sdk.close().catch(() => {}));
}

/** All tools in the order of `tools/list`. `appUri`: the page that draws explanations. */
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

/** Makes the function that answers one message. */
function createAnswer(service: Service, sdk: SdkPath) {
  /** Counts a message that asks for no work of a tool. Gives the problem where the client sent too many. */
  const countMessage = (request: FastifyRequest) =>
    limitOf(() => service.countMessage(callerOf(request), serviceLimits.messageWeight));

  return async (message: unknown, request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { headers, raw } = request;
    // A tool counts its calls itself. Calls that the SDK refuses before that count as messages.
    const calls = isJsonObject(message) && message.method === "tools/call";
    const early = calls ? undefined : countMessage(request);
    if (early !== undefined) return refuse(reply, early, idOf(message));
    const exchange: Exchange = { caller: { connection: raw.socket, headers, gone: whenGone(reply) } };
    const answered = await sdk.answer(message, exchange, whenGone(reply)());
    const { response, thrown } = exchange;
    // Not in the words of the SDK: they tell what broke inside.
    if (thrown !== undefined) throw thrown.error;
    const late = calls && response === undefined ? countMessage(request) : undefined;
    if (late !== undefined) return refuse(reply, late, idOf(message));
    if (response !== undefined && asksByStatus(reply, response)) return;
    const method = isJsonObject(message) ? message.method : undefined;
    const told = response === undefined ? await tellBadParams(answered, method) : answered;
    await sendResponse(reply, told, response?.headers ?? []);
  };
}

/** Runs what counts a message that is not a plain tool call. Gives the problem where the client sent too many; else undefined. */
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

/**
 * Where a payment is needed, asks for it with status 402, as x402 does for HTTP. True if it did. MCP clients fail on this status. They name
 * their revision in a header, so only callers without that header are asked like this.
 */
function asksByStatus(reply: FastifyReply, { challenge, headers = [] }: ToolResponse): boolean {
  if (challenge === undefined || reply.request.headers["mcp-protocol-version"] !== undefined) return false;
  sendJson(setHeaders(reply, headers), 402, challenge.body);
  return true;
}
