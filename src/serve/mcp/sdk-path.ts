import type { IncomingHttpHeaders } from "node:http";
import type * as Sdk from "@modelcontextprotocol/server";
import { serviceLimits } from "../../kernel/limits.ts";
import type { Caller } from "../service/caller.ts";
import { pictureTemplate, type Resource } from "./definitions.ts";
import type { ReadPicture } from "./picture-app/picture-resource.ts";
import type { Tool } from "./tool.ts";
import type { ToolResponse } from "./tool-response.ts";

export interface SdkPathOptions {
  serverInfo: { name: string; title: string; version: string };
  instructions: string;
  tools: readonly Tool[];
  resources: readonly Resource[];
  /** Else no pictures. */
  readPicture?: ReadPicture | undefined;
}

/** The SDK passes on only a result; what a tool returned or threw is here. */
export interface Exchange {
  readonly caller: Caller;
  response?: ToolResponse;
  thrown?: { error: unknown };
}

export type SdkPath = ReturnType<typeof createSdkPath>;

/** Not loaded yet; a stateless server per message. */
export function createSdkPath(options: SdkPathOptions) {
  let loading: Promise<Loaded> | undefined;
  // Closing the SDK would cut them off.
  const underWay = new Set<Promise<unknown>>();
  const load = () => {
    loading ??= import("@modelcontextprotocol/server").then((sdk) => prepare(sdk, options));
    return loading;
  };
  const answer = async (message: unknown, exchange: Exchange, signal: AbortSignal): Promise<Response> => {
    const { sdk, exchanges, modern } = await load();
    const { headers } = exchange.caller;
    const judged = classify(sdk, message, headers);
    const request = new Request("http://localhost/mcp", { method: "POST", headers: forward(headers), signal });
    if (judged.kind === "legacy") return answerLegacy({ sdk, options, exchange }, request, message);
    exchanges.set(request, exchange);
    return modern.fetch(request, { parsedBody: message });
  };
  return {
    /** Slower than the whole start. Its error shows at the first message. */
    open: () => void load().catch(() => {}),
    async answer(...parts: Parameters<typeof answer>) {
      const answered = answer(...parts);
      underWay.add(answered);
      return answered.finally(() => underWay.delete(answered));
    },
    /** Open messages first, then streams. */
    async close() {
      while (underWay.size > 0) await Promise.allSettled(underWay);
      await (await loading)?.modern.close();
    },
  };
}

interface Loaded {
  sdk: typeof Sdk;
  modern: Sdk.McpHttpHandler;
  /** The SDK gives server builders only the request. */
  exchanges: WeakMap<Request, Exchange>;
}

function prepare(sdk: typeof Sdk, options: SdkPathOptions): Loaded {
  const exchanges = new WeakMap<Request, Exchange>();
  const modern = sdk.createMcpHandler(
    ({ requestInfo }) => buildServer({ sdk, options, exchange: exchanges.get(requestInfo as Request) as Exchange }),
    { legacy: "reject", maxSubscriptions: serviceLimits.subscriptionsMax },
  );
  return { sdk, modern, exchanges };
}

interface ServerParts {
  sdk: typeof Sdk;
  options: SdkPathOptions;
  exchange: Exchange;
}

async function answerLegacy(parts: ServerParts, request: Request, message: unknown): Promise<Response> {
  const server = buildServer(parts);
  const transport = new parts.sdk.WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  await server.connect(transport);
  const response = await transport.handleRequest(request, { parsedBody: message });
  await server.close();
  return response;
}

async function callTool(tool: Tool, call: Parameters<Tool["call"]>[0], exchange: Exchange): Promise<ToolResponse> {
  try {
    exchange.response = await tool.call(call);
    return exchange.response;
  } catch (error) {
    exchange.thrown = { error };
    throw error;
  }
}

function buildServer({ sdk, options, exchange }: ServerParts): Sdk.Server {
  const { serverInfo, instructions, tools, resources, readPicture } = options;
  const server = new sdk.Server(serverInfo, {
    instructions,
    capabilities: { tools: {}, resources: {} },
    cacheHints,
  });
  server.setRequestHandler("tools/list", () => ({ tools: tools.map(({ definition }) => definition) as Sdk.Tool[] }));
  server.setRequestHandler("tools/call", async ({ params }) => {
    const tool = tools.find(({ definition }) => definition.name === params.name);
    if (tool === undefined) throw new sdk.ProtocolError(sdk.INVALID_PARAMS, `Unknown tool: ${params.name}`);
    const { arguments: given = {}, _meta: meta = {} } = params;
    const response = await callTool(tool, { arguments: given, caller: { ...exchange.caller, meta } }, exchange);
    return { ...(response.meta ? { _meta: response.meta } : {}), ...response.result } as Sdk.CallToolResult;
  });
  server.setRequestHandler("resources/list", () => ({
    resources: resources.map(({ text: _text, ...listed }) => listed),
  }));
  server.setRequestHandler("resources/templates/list", () => ({
    resourceTemplates: readPicture === undefined ? [] : [pictureTemplate],
  }));
  server.setRequestHandler("resources/read", async ({ params }) => {
    const found = resources.find(({ uri }) => uri === params.uri);
    if (found !== undefined) {
      const { uri, mimeType, text, _meta } = found;
      return { contents: [{ uri, mimeType, text, _meta }] };
    }
    const contents = await readPicture?.(params.uri, exchange.caller.gone?.());
    if (contents === undefined) throw new sdk.ResourceNotFoundError(params.uri);
    return { contents };
  });
  return server;
}

/** Our lists change with versions only; after five minutes every client knows. */
const hint = { ttlMs: 300_000, cacheScope: "public" } as const;
const cacheHints = {
  ...{ "server/discover": hint, "tools/list": hint },
  ...{ "resources/list": hint, "resources/templates/list": hint, "resources/read": hint },
};

/** MCP era; `mcp-name` is checked at the call. */
function classify(sdk: typeof Sdk, body: unknown, headers: IncomingHttpHeaders) {
  const [version, method] = [headers["mcp-protocol-version"], headers["mcp-method"]];
  return sdk.classifyInboundRequest({
    httpMethod: "POST",
    body,
    ...(version === undefined ? {} : { protocolVersionHeader: String(version) }),
    ...(method === undefined ? {} : { mcpMethodHeader: String(method) }),
  });
}

/** For the SDK; Accept was checked before, less strictly. */
function forward(headers: IncomingHttpHeaders): Record<string, string> {
  const forwarded: Record<string, string> = {
    accept: "application/json, text/event-stream",
    "content-type": "application/json",
  };
  for (const name of ["mcp-protocol-version", "mcp-method", "mcp-name"]) {
    if (headers[name] !== undefined) forwarded[name] = String(headers[name]);
  }
  return forwarded;
}
