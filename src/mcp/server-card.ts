import type { FastifyInstance } from "fastify";
import manifest from "../../server.json" with { type: "json" };
import { addOpenText } from "../http/routes/discovery.ts";
import { legacyRevisions, modernRevision } from "./tool-request.ts";

export interface ServerCardOptions {
  version: string;
  /** Where callers reach the service; undefined: the card has a place for it, as the manifest has. */
  publicUrl?: string | undefined;
}

const cardType = "application/mcp-server-card+json";

/** The MCP server card (SEP-2127): the manifest of the registry, with the address of this instance. Tools are not listed in it. */
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

/**
 * `GET /mcp/server-card`, the place that SEP-2127 reserves, and the same where earlier drafts had it. `/.well-known/ai-catalog.json`
 * leads to it where the address is known.
 */
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
