import { Client as ClientV2, StreamableHTTPClientTransport as TransportV2 } from "@modelcontextprotocol/client";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport as TransportV1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

/** A result of a tool as tests look at it. */
export interface ToolAnswer {
  content: { type: string; text: string }[];
  // biome-ignore lint/suspicious/noExplicitAny: read by tests that know what to expect.
  structuredContent?: any;
  isError?: boolean;
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  _meta?: Record<string, any>;
}

/** One of the official clients, reduced to what both can. */
export interface McpClient {
  listTools(): Promise<{ name: string; [field: string]: unknown }[]>;
  call(name: string, args?: object, meta?: Record<string, unknown>): Promise<ToolAnswer>;
  listResources(): Promise<{ uri: string; name: string }[]>;
  readResource(uri: string): Promise<string>;
  /** The revision that was agreed on. */
  revision(): string | undefined;
  close(): Promise<void>;
}

export type ConnectMcp = (url: string, options?: { fetch?: typeof fetch }) => Promise<McpClient>;

/** The official clients, one for each way in which they can talk to a server. */
export const mcpClients: Readonly<Record<string, ConnectMcp>> = {
  "client 1.x": connectV1,
  "client 2.x, legacy": (url, options) => connectV2(url, { ...options, mode: "legacy" }),
  "client 2.x, negotiating": (url, options) => connectV2(url, { ...options, mode: "auto" }),
  "client 2.x, pinned to 2026-07-28": (url, options) => connectV2(url, { ...options, mode: { pin: "2026-07-28" } }),
};

const identity = { name: "txgloss-tests", version: "1.0.0" };

async function connectV1(url: string, { fetch }: { fetch?: typeof globalThis.fetch } = {}): Promise<McpClient> {
  const client = new ClientV1(identity);
  const transport = new TransportV1(new URL(url), fetch === undefined ? {} : { fetch });
  await client.connect(transport as Parameters<typeof client.connect>[0]);
  return {
    listTools: async () => (await client.listTools()).tools,
    call: (name, args = {}, meta) =>
      client.callTool({ name, arguments: { ...args }, ...(meta ? { _meta: meta } : {}) }) as Promise<ToolAnswer>,
    listResources: async () => (await client.listResources()).resources,
    readResource: async (uri) => textOf((await client.readResource({ uri })).contents),
    revision: () => transport.protocolVersion,
    close: () => client.close(),
  };
}

type Mode = NonNullable<NonNullable<ConstructorParameters<typeof ClientV2>[1]>["versionNegotiation"]>["mode"];

async function connectV2(
  url: string,
  { fetch, mode }: { fetch?: typeof globalThis.fetch; mode: NonNullable<Mode> },
): Promise<McpClient> {
  const client = new ClientV2(identity, { versionNegotiation: { mode }, capabilities: { elicitation: {} } });
  const transport = new TransportV2(new URL(url), fetch === undefined ? {} : { fetch });
  await client.connect(transport);
  return {
    listTools: async () => (await client.listTools()).tools as unknown as { name: string }[],
    call: (name, args = {}, meta) =>
      client.callTool({
        name,
        arguments: { ...args },
        ...(meta ? { _meta: meta } : {}),
      }) as unknown as Promise<ToolAnswer>,
    listResources: async () => (await client.listResources()).resources,
    readResource: async (uri) => textOf((await client.readResource({ uri })).contents),
    revision: () => client.getNegotiatedProtocolVersion(),
    close: () => client.close(),
  };
}

function textOf(contents: readonly object[]): string {
  return (contents[0] as { text: string }).text;
}
