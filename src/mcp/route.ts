import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Challenge } from "../access/payment/offers.ts";
import { limits } from "../kernel/limits.ts";
import type { Log } from "../kernel/log.ts";
import { corsHeaders, sendPreflight } from "./cors.ts";
import { readMessage } from "./message.ts";
import { createOriginGuard, type OriginGuardOptions } from "./origin-guard.ts";
import type { Outcome } from "./outcome.ts";
import { findProblem, foreign, internal, problemOf, refuse } from "./problem.ts";
import { outcomeHeaders, sendChallenge, sendResponse, sendText } from "./reply.ts";
import { createResponseWriter } from "./response-text.ts";
import { createSdkPath, type Exchange, type SdkPathOptions } from "./sdk-path.ts";
import type { Caller } from "./tool.ts";
import { readToolRequest, type ToolRequest } from "./tool-request.ts";

export interface McpRouteOptions extends SdkPathOptions, OriginGuardOptions {
  log: Log;
  /** False sends every message through the SDK: for showing that it makes no difference. */
  fastPath?: boolean;
}

/** `POST /mcp`: streamable HTTP without sessions, every revision from one endpoint. */
export function addMcpRoute(app: FastifyInstance, options: McpRouteOptions): void {
  const { log } = options;
  const judge = createOriginGuard(options);
  const lane = createSdkPath(options);
  const answer = createLanes(options, lane);

  function handle(request: FastifyRequest, reply: FastifyReply): Promise<void> | undefined {
    const verdict = judge(request.headers);
    if (!verdict.allowed) return void refuse(reply, foreign(verdict.reason));
    if (verdict.origin !== undefined) reply.headers(corsHeaders(verdict.origin));
    const problem = findProblem(request);
    if (problem !== undefined) return void refuse(reply, problem);
    const read = readMessage(request.body as string);
    if ("problem" in read) return void refuse(reply, read.problem);
    return answer(read.message, { remote: request.raw.socket.remoteAddress, headers: request.headers }, reply);
  }

  function onError(error: { code?: string; stack?: string }, _request: FastifyRequest, reply: FastifyReply): void {
    const problem = problemOf(error.code);
    if (problem === undefined) log.error({ event: "internal", server: "mcp", cause: error.stack ?? String(error) });
    refuse(reply, problem ?? internal);
  }

  app.post("/mcp", { bodyLimit: limits.messageBytesMax, errorHandler: onError }, handle);
  app.options("/mcp", (request, reply) => {
    const verdict = judge(request.headers);
    return verdict.allowed ? sendPreflight(reply, verdict.origin) : refuse(reply, foreign(verdict.reason));
  });
  // In the background: whoever sends the first message would wait for it.
  app.addHook("onListen", async () => void lane.open());
  app.addHook("preClose", () => lane.close());
}

/** Answers one message. A plain call of a tool is answered in the same turn where the answer is remembered; the rest is the SDK's. */
function createLanes(options: McpRouteOptions, lane: ReturnType<typeof createSdkPath>) {
  const tools = new Map(options.tools.map((tool) => [tool.definition.name, tool]));
  const write = createResponseWriter(options.serverInfo);

  function send(reply: FastifyReply, call: ToolRequest, outcome: Outcome): void {
    const headers = outcomeHeaders(outcome);
    if (asksByStatus(outcome, reply)) return void sendChallenge(reply, outcome.challenge, headers);
    const { origin } = reply.request.headers;
    if (origin !== undefined) headers.push(...Object.entries(corsHeaders(origin)).flat());
    sendText(reply, write(call, outcome), headers);
  }

  async function askSdk(message: unknown, exchange: Exchange, reply: FastifyReply): Promise<void> {
    const gone = new AbortController();
    reply.raw.once("close", () => gone.abort());
    const response = await lane.answer(message, exchange, gone.signal);
    const { outcome } = exchange;
    if (outcome === undefined) return sendResponse(reply, response, []);
    const headers = outcomeHeaders(outcome);
    if (asksByStatus(outcome, reply)) return void sendChallenge(reply, outcome.challenge, headers);
    return sendResponse(reply, response, headers);
  }

  return (message: unknown, caller: Caller, reply: FastifyReply): Promise<void> | undefined => {
    const call = options.fastPath === false ? undefined : readToolRequest(message, caller.headers, lane.knowsEnvelope);
    const tool = call === undefined ? undefined : tools.get(call.name);
    if (call === undefined || tool === undefined) return askSdk(message, { caller }, reply);
    const outcome = tool.call({ arguments: call.arguments, meta: call.meta, caller });
    if (outcome instanceof Promise) return outcome.then((late) => send(reply, call, late));
    send(reply, call, outcome);
    return undefined;
  };
}

/** Whether a payment is to be asked for by status 402: of whoever does not say its revision, as every client of MCP does. */
function asksByStatus(outcome: Outcome, { request }: FastifyReply): outcome is Outcome & { challenge: Challenge } {
  return outcome.challenge !== undefined && request.headers["mcp-protocol-version"] === undefined;
}
