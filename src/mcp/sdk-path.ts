import type { IncomingHttpHeaders } from "node:http";
import type * as Sdk from "@modelcontextprotocol/server";
import { LRUCache } from "lru-cache";
import { limits } from "../kernel/limits.ts";
import type { Outcome } from "./outcome.ts";
import type { Resource } from "./resource.ts";
import type { Caller, Tool } from "./tool.ts";
import { envelopeOf } from "./tool-request.ts";

export interface SdkPathOptions {
  serverInfo: { name: string; title: string; version: string };
  instructions: string;
  tools: readonly Tool[];
  resources: readonly Resource[];
}

/** One message on its way through the SDK; what a tool came to is noted on it. */
export interface Exchange {
  readonly caller: Caller;
  outcome?: Outcome;
}

/** Everything that is not a plain call of a tool: the official SDK answers, in the era that the message belongs to. */
export interface SdkPath {
  /** Loads the SDK, which takes longer than the rest of the start. */
  open(): void;
  answer(message: unknown, exchange: Exchange, signal: AbortSignal): Promise<Response>;
  /** Whether an envelope like this was taken before. */
  knowsEnvelope(envelope: string): boolean;
  close(): Promise<void>;
}

/** The lane, not yet loaded. It builds one stateless server for each message. */
export function createSdkPath(options: SdkPathOptions): SdkPath {
  const envelopes = new LRUCache<string, true>({ max: 1_000 });
  let loading: Promise<Loaded> | undefined;
  const load = () => {
    loading ??= import("@modelcontextprotocol/server").then((sdk) => prepare(sdk, options));
    return loading;
  };
  return {
    // Whoever needs it and does not get it is told; here nobody waits.
    open: () => void load().catch(() => {}),
    async answer(message, exchange, signal) {
      const { sdk, exchanges, modern } = await load();
      const { headers } = exchange.caller;
      const judged = classify(sdk, message, headers);
      const request = new Request("http://localhost/mcp", { method: "POST", headers: forward(headers), signal });
      if (judged.kind === "legacy") return answerLegacy({ sdk, options, exchange }, request, message);
      if (judged.kind === "modern" && judged.messageKind === "request")
        remember(envelopes, judged.message.params?._meta);
      exchanges.set(request, exchange);
      return modern.fetch(request, { parsedBody: message });
    },
    knowsEnvelope: (envelope) => envelopes.get(envelope) === true,
    close: async () => (await loading)?.modern.close(),
  };
}

interface Loaded {
  sdk: typeof Sdk;
  modern: Sdk.McpHttpHandler;
  /** The SDK hands the request to whoever builds the server for it. */
  exchanges: WeakMap<Request, Exchange>;
}

function prepare(sdk: typeof Sdk, options: SdkPathOptions): Loaded {
  const exchanges = new WeakMap<Request, Exchange>();
  const modern = sdk.createMcpHandler(
    ({ requestInfo }) => buildServer({ sdk, options, exchange: exchanges.get(requestInfo as Request) as Exchange }),
    { legacy: "reject", maxSubscriptions: limits.subscriptionsMax },
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

function buildServer({ sdk, options, exchange }: ServerParts): Sdk.Server {
  const { serverInfo, instructions, tools, resources } = options;
  const server = new sdk.Server(serverInfo, {
    instructions,
    capabilities: { tools: {}, ...(resources.length > 0 ? { resources: {} } : {}) },
    cacheHints,
  });
  server.setRequestHandler("tools/list", () => ({ tools: tools.map(({ definition }) => definition) as Sdk.Tool[] }));
  server.setRequestHandler("tools/call", async ({ params }) => {
    const tool = tools.find(({ definition }) => definition.name === params.name);
    if (tool === undefined) throw new sdk.ProtocolError(sdk.INVALID_PARAMS, `Unknown tool: ${params.name}`);
    const { arguments: given = {}, _meta: meta = {} } = params;
    const outcome = await tool.call({ arguments: given, meta, caller: exchange.caller });
    exchange.outcome = outcome;
    return { ...(outcome.meta ? { _meta: outcome.meta } : {}), ...outcome.result } as Sdk.CallToolResult;
  });
  if (resources.length > 0) addResources(sdk, server, resources);
  return server;
}

function addResources(sdk: typeof Sdk, server: Sdk.Server, resources: readonly Resource[]): void {
  server.setRequestHandler("resources/list", () => ({
    resources: resources.map(({ text: _text, ...listed }) => listed),
  }));
  server.setRequestHandler("resources/templates/list", () => ({ resourceTemplates: [] }));
  server.setRequestHandler("resources/read", ({ params }) => {
    const found = resources.find(({ uri }) => uri === params.uri);
    if (found === undefined) throw new sdk.ResourceNotFoundError(params.uri);
    return { contents: [{ uri: found.uri, mimeType: found.mimeType, text: found.text }] };
  });
}

/** What we list is decided at the start; five minutes after a new version everybody knows it. */
const hint = { ttlMs: 300_000, cacheScope: "public" } as const;
const cacheHints = {
  "server/discover": hint,
  "tools/list": hint,
  "resources/list": hint,
  "resources/templates/list": hint,
  "resources/read": hint,
};

function classify(sdk: typeof Sdk, body: unknown, headers: IncomingHttpHeaders) {
  const [version, method, name] = [headers["mcp-protocol-version"], headers["mcp-method"], headers["mcp-name"]];
  return sdk.classifyInboundRequest({
    httpMethod: "POST",
    body,
    ...(version === undefined ? {} : { protocolVersionHeader: String(version) }),
    ...(method === undefined ? {} : { mcpMethodHeader: String(method) }),
    ...(name === undefined ? {} : { mcpNameHeader: String(name) }),
  });
}

/** The headers that the SDK reads. Accept was read before, more leniently than the SDK does. */
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

/** An envelope that was taken once need not be looked at again: a client sends the same one with each message. */
function remember(envelopes: LRUCache<string, true>, meta: Record<string, unknown> | undefined): void {
  const envelope = envelopeOf(meta ?? {});
  if (envelope.length <= envelopeCharsMax) envelopes.set(envelope, true);
}

const envelopeCharsMax = 2_000;
