import type { ViewQuestion } from "../../gather/explain/view-memory.ts";
import { readAddress } from "../../kernel/address.ts";
import { isJsonObject, parseJson } from "../../kernel/canonical.ts";
import { ServiceError } from "../../kernel/error.ts";
import { type Hash, readHash } from "../../kernel/hex.ts";

export interface BodyHeaders {
  "content-type"?: string | undefined;
  "content-encoding"?: string | undefined;
}

/**
 * `{"tx_hash": "0x…"}` (schemas/request.schema.json). Throws ServiceError `unsupported_media_type`, `invalid_json`, `invalid_request` or
 * `invalid_tx_hash`.
 */
export function readExplainRequest(body: unknown, headers: BodyHeaders): Hash {
  return readHashField(readJsonBody(body, headers), "The body holds a field other than tx_hash.");
}

/** Throws ServiceError `unsupported_media_type` or `invalid_json`. */
export function readJsonBody(body: unknown, headers: BodyHeaders): Record<string, unknown> {
  checkBody(body, headers);
  // A parser may ignore a byte order mark (RFC 8259 section 8.1).
  const value = parseJson(body.charCodeAt(0) === 0xfeff ? body.slice(1) : body);
  if (value === undefined) throw new ServiceError("invalid_json", "The body is not valid JSON.");
  if (!isJsonObject(value)) throw new ServiceError("invalid_json");
  return value;
}

export function emptyBody(): ServiceError {
  return new ServiceError("invalid_json", "The body is empty.");
}

/** Throws ServiceError `invalid_request` (message `tooMuch`, for another field) or `invalid_tx_hash`. */
export function readHashField(fields: Readonly<Record<string, unknown>>, tooMuch: string): Hash {
  for (const name in fields) if (name !== "tx_hash") throw new ServiceError("invalid_request", tooMuch);
  if (!Object.hasOwn(fields, "tx_hash")) throw new ServiceError("invalid_tx_hash", "tx_hash is missing.");
  const hash = readHash(fields.tx_hash);
  if (hash === undefined) throw new ServiceError("invalid_tx_hash");
  return hash;
}

/**
 * `{"tx_hash": "0x…", "account": "0x…"}` (schemas/view-request.schema.json). Without `account`: the headline's. Throws ServiceError
 * `unsupported_media_type`, `invalid_json`, `invalid_request`, `invalid_tx_hash` or `invalid_account`.
 */
export function readViewRequest({ body, headers }: { body: unknown; headers: BodyHeaders }): ViewQuestion {
  return readViewFields(readJsonBody(body, headers), "The body holds a field other than tx_hash and account.");
}

/** Throws as {@link readViewRequest}. */
export function readViewFields(fields: Readonly<Record<string, unknown>>, tooMuch: string): ViewQuestion {
  const { account: given, ...rest } = fields;
  const hash = readHashField(rest, tooMuch);
  if (given === undefined || given === null) return { hash, account: null };
  const account = readAddress(given);
  if (account === undefined) throw new ServiceError("invalid_account");
  return { hash, account };
}

/** Other media types are refused before (media-type.ts). */
function checkBody(body: unknown, headers: BodyHeaders): asserts body is string {
  if (typeof body !== "string" || body === "") throw emptyBody();
  const type = headers["content-type"];
  if (type !== undefined && namesOtherCharset(type)) throw new ServiceError("unsupported_media_type", otherCharset);
  const encoding = headers["content-encoding"];
  if (encoding !== undefined && encoding.toLowerCase() !== "identity") {
    throw new ServiceError("unsupported_media_type", "A compressed body is not read; send it as it is.");
  }
}

/** Not UTF-8 or US-ASCII. */
export function namesOtherCharset(type: string): boolean {
  if (type === "application/json") return false;
  const charset = /;\s*charset\s*=\s*"?([^";\s]*)/i.exec(type)?.[1]?.toLowerCase();
  return charset !== undefined && !/^(?:utf-?8|us-ascii)$/.test(charset);
}

export const otherCharset = "The charset of a JSON body is UTF-8.";
