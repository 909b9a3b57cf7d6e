import type { FastifyInstance } from "fastify";
import manifest from "../../../server.json" with { type: "json" };
import { addOpenText } from "../http/routes/discovery.ts";

/** The revision that made the protocol stateless. */
export const modernRevision = "2026-07-28";

/** By the SDK; a test compares. */
export const legacyRevisions: ReadonlySet<string> = new Set([
  ...["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05", "2024-10-07"],
]);

export interface ServerCardOptions {
  version: string;
  /** undefined: a placeholder, as in the manifest. */
  publicUrl?: string | undefined;
}

const cardType = "application/mcp-server-card+json";

/** SEP-2127: registry manifest with this address; no tools. */
export function describeServer({ version, publicUrl }: ServerCardOptions): object {
  const { name, title, description, remotes } = manifest;
  const supportedProtocolVersions = [modernRevision, ...legacyRevisions];
  return {
    $schema: "https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json",
    ...{ name, title, description, version },
    remotes: remotes.map(({ type, url, variables, headers }) => ({
      type,
      ...(publicUrl === undefined ? { url, variables } : { url: `${publicUrl}/mcp` }),
      headers,
      supportedProtocolVersions,
    })),
  };
}

/** `GET /mcp/server-card` (SEP-2127) and its earlier path. With a public URL `/.well-known/ai-catalog.json` refers to it. */
export function addServerCard(app: FastifyInstance, options: ServerCardOptions): void {
  const card = JSON.stringify(describeServer(options));
  addOpenText(app, "/mcp/server-card", card, cardType);
  addOpenText(app, "/.well-known/mcp/server-card.json", card);
  const { publicUrl } = options;
  if (publicUrl === undefined) return;
  const entries = [{ identifier: identify(publicUrl), type: cardType, url: `${publicUrl}/mcp/server-card` }];
  const catalog = JSON.stringify({ specVersion: "1.0", entries });
  addOpenText(app, "/.well-known/ai-catalog.json", catalog, "application/ai-catalog+json");
}

/** `urn:air:{publisher}:{namespace}:{name}`. */
function identify(publicUrl: string): string {
  return `urn:air:${new URL(publicUrl).hostname}:mcp:${manifest.name.split("/")[1]}`;
}
