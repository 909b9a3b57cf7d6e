import type { IncomingHttpHeaders } from "node:http";
import { isJsonObject } from "../../kernel/canonical.ts";
import { capabilitiesKey, clientKey, type EnvelopeMemory, reservedPrefix } from "./envelope-memory.ts";

type Json = Record<string, unknown>;

/** `legacy`: before revision 2026-07-28. `modern`: since that revision, which made the protocol stateless. */
export type Era = "legacy" | "modern";

/** A plain `tools/call`. */
export interface ToolRequest {
  era: Era;
  id: string | number;
  name: string;
  arguments: Json;
  /** The `_meta` as it was sent, with the protocol's own fields. */
  meta: Json;
}

export const modernRevision = "2026-07-28";

/** Revisions of the legacy era that the SDK serves. A test compares the two lists. */
export const legacyRevisions: ReadonlySet<string> = new Set([
  "2025-11-25",
  "2025-06-18",
  "2025-03-26",
  "2024-11-05",
  "2024-10-07",
]);

/**
 * Reads a `tools/call` in its plainest form. Anything else (an unknown field, a missing or contradicting header, a reserved name) gives
 * undefined, and then the SDK answers.
 */
export function readToolRequest(
  message: unknown,
  headers: IncomingHttpHeaders,
  knowsEnvelope: EnvelopeMemory["knows"],
): ToolRequest | undefined {
  if (!isJsonObject(message) || message.jsonrpc !== "2.0" || message.method !== "tools/call") return undefined;
  const { id, params } = message;
  if (!(typeof id === "string" || Number.isSafeInteger(id)) || countKeys(message) !== 4 || !isJsonObject(params))
    return undefined;
  for (const name in params) if (name !== "name" && name !== "arguments" && name !== "_meta") return undefined;
  const { name, arguments: given = {}, _meta: meta = {} } = params;
  if (typeof name !== "string" || !isJsonObject(given) || !isJsonObject(meta) || !isPlainToken(meta.progressToken))
    return undefined;
  const era = judgeEra(name, meta, headers, knowsEnvelope);
  return era === undefined ? undefined : { era, id: id as string | number, name, arguments: given, meta };
}

function judgeEra(
  name: string,
  meta: Json,
  headers: IncomingHttpHeaders,
  knowsEnvelope: EnvelopeMemory["knows"],
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
  return knowsEnvelope(meta) ? "modern" : undefined;
}

const versionKey = `${reservedPrefix}protocolVersion`;
/** The field in which a modern response names the server. */
export const serverInfoKey = `${reservedPrefix}serverInfo`;

function isPlainToken(token: unknown): boolean {
  return token === undefined || typeof token === "string" || Number.isSafeInteger(token);
}

function countKeys(value: object): number {
  let count = 0;
  for (const _name in value) count++;
  return count;
}
