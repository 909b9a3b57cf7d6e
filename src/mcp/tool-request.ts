import type { IncomingHttpHeaders } from "node:http";

type Json = Record<string, unknown>;

/** Before and since revision 2026-07-28, which made the protocol stateless. */
export type Era = "legacy" | "modern";

/** A `tools/call` about which nothing is in doubt. */
export interface ToolRequest {
  era: Era;
  id: string | number;
  name: string;
  arguments: Json;
  /** Without the fields that are the protocol's own. */
  meta: Json;
}

/** The revision of the modern era. */
export const modernRevision = "2026-07-28";

/** Revisions of the legacy era that the SDK serves; a test holds the two together. */
export const legacyRevisions: ReadonlySet<string> = new Set([
  "2025-11-25",
  "2025-06-18",
  "2025-03-26",
  "2024-11-05",
  "2024-10-07",
]);

/** Whether the SDK takes this envelope (client capabilities and info) of a modern message; undefined when it was not asked yet. */
export type KnowsEnvelope = (envelope: string) => boolean;

/**
 * Reads a `tools/call` that needs no second look. Whatever is not of the plainest form (a field that we do not use, a header that
 * is missing or disagrees, a reserved name) gives undefined: the SDK judges that, also where it would have been fine.
 */
export function readToolRequest(
  message: unknown,
  headers: IncomingHttpHeaders,
  knowsEnvelope: KnowsEnvelope,
): ToolRequest | undefined {
  if (!isRecord(message) || message.jsonrpc !== "2.0" || message.method !== "tools/call") return undefined;
  const { id, params } = message;
  if (!(typeof id === "string" || Number.isSafeInteger(id)) || countKeys(message) !== 4 || !isRecord(params))
    return undefined;
  for (const name in params) if (name !== "name" && name !== "arguments" && name !== "_meta") return undefined;
  const { name, arguments: given = {}, _meta: meta = {} } = params;
  if (typeof name !== "string" || !isRecord(given) || !isRecord(meta) || !isPlainToken(meta.progressToken))
    return undefined;
  const era = judgeEra(name, { meta, headers, knowsEnvelope });
  return era === undefined ? undefined : { era, id: id as string | number, name, arguments: given, meta };
}

function judgeEra(
  name: string,
  { meta, headers, knowsEnvelope }: { meta: Json; headers: IncomingHttpHeaders; knowsEnvelope: KnowsEnvelope },
): Era | undefined {
  const revision = headers["mcp-protocol-version"];
  const [method, named] = [headers["mcp-method"], headers["mcp-name"]];
  let reserved = 0;
  for (const key in meta) if (key.startsWith(reservedPrefix)) reserved++;
  if (reserved === 0) {
    const plain = revision === undefined || legacyRevisions.has(revision as string);
    return plain && method === undefined && named === undefined ? "legacy" : undefined;
  }
  const { [versionKey]: claimed, [capabilitiesKey]: capabilities, [clientKey]: client } = meta;
  if (claimed !== modernRevision || revision !== modernRevision) return undefined;
  if (method !== "tools/call" || named !== name) return undefined;
  if (reserved !== (client === undefined ? 2 : 3) || capabilities === undefined) return undefined;
  return knowsEnvelope(envelopeOf(meta)) ? "modern" : undefined;
}

/** What a modern message says about its client, as text: the same for all messages of one client. */
export function envelopeOf(meta: Json): string {
  const { [capabilitiesKey]: capabilities, [clientKey]: client } = meta;
  return JSON.stringify(client === undefined ? [capabilities] : [capabilities, client]);
}

const reservedPrefix = "io.modelcontextprotocol/";
const versionKey = `${reservedPrefix}protocolVersion`;
const capabilitiesKey = `${reservedPrefix}clientCapabilities`;
const clientKey = `${reservedPrefix}clientInfo`;
/** Where a modern answer says who gave it. */
export const serverInfoKey = `${reservedPrefix}serverInfo`;

function isPlainToken(token: unknown): boolean {
  return token === undefined || typeof token === "string" || Number.isSafeInteger(token);
}

function countKeys(value: object): number {
  let count = 0;
  for (const _name in value) count++;
  return count;
}

function isRecord(value: unknown): value is Json {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}
