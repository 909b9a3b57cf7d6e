import { ServiceError } from "../../kernel/error.ts";
import { readHash } from "../../kernel/hex.ts";
import { serviceLimits } from "../../kernel/limits.ts";
import type { AskedLine } from "../../service/batch/batch-request.ts";
import { type BodyHeaders, readJsonBody } from "../explain-request.ts";

/**
 * Reads `{"tx_hashes": ["0x…", …]}` (schemas/batch-request.schema.json). A text that is no hash is a line of its own, so that one
 * mistake does not spoil a list. Throws ServiceError `unsupported_media_type`, `invalid_json`, `invalid_request` or `invalid_batch`.
 */
export function readBatchBody(body: unknown, headers: BodyHeaders): AskedLine[] {
  const fields = readJsonBody(body, headers);
  for (const name in fields)
    if (name !== "tx_hashes") throw new ServiceError("invalid_request", "The body holds a field other than tx_hashes.");
  const { tx_hashes: texts } = fields;
  if (!Array.isArray(texts) || !texts.every((text) => typeof text === "string"))
    throw new ServiceError("invalid_batch");
  if (texts.length === 0) throw new ServiceError("invalid_batch", "tx_hashes is empty.");
  if (texts.length > serviceLimits.batchLinesMax)
    throw new ServiceError("invalid_batch", `tx_hashes has more than ${serviceLimits.batchLinesMax} entries.`);
  return texts.map((text: string) => {
    const hash = readHash(text);
    return hash === undefined ? { hash: null, text } : { hash };
  });
}
