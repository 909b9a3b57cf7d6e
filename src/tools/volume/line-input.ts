import { type CaseInput, caseFromReceipt } from "../../gather/receipt/case-from-receipt.ts";
import { checkCase } from "../../gather/recordings/case-format.ts";
import { type JsonObject, readObject } from "../../kernel/canonical.ts";
import { chain } from "../../kernel/chain-profile.ts";
import { type Hash, readHash, readPastedHash } from "../../kernel/hex.ts";
import type { CaseFile } from "../../model/case-file.ts";
import { LineError } from "./line-error.ts";

/** A hash to look up, or everything about a transaction. */
export type LineInput = { hash: Hash } | { caseFile: CaseFile };

/**
 * `0x…`, `"0x…"`, `{"tx_hash"}` or a link; a case file; or `{"transaction", "receipt"}` with optional `block`, `trace`, `tokens`. Throws
 * LineError, CaseInputError and CaseFileError.
 */
export function readLine(text: string): LineInput {
  const trimmed = text.trim();
  if (trimmed.startsWith("0x")) return { hash: readGivenHash(trimmed) };
  if (linkStart.test(trimmed)) return { hash: readGivenHash(readPastedHash(trimmed)) };
  const value = parseLine(trimmed);
  if (typeof value === "string") return { hash: readGivenHash(value) };
  const source = readObject(value);
  if (source === undefined) throw new LineError("invalid_line", kinds);
  if ("version" in source) return { caseFile: readGivenCase(source) };
  if ("transaction" in source || "receipt" in source)
    return { caseFile: caseFromReceipt(source as unknown as CaseInput) };
  if ("tx_hash" in source) return { hash: readGivenHash(source.tx_hash) };
  throw new LineError("invalid_line", kinds);
}

/** The hash for error objects. */
export function hashOfLine(text: string): Hash | null {
  const trimmed = text.trim();
  if (trimmed.startsWith("0x")) return readHash(trimmed) ?? null;
  if (linkStart.test(trimmed)) return readPastedHash(trimmed) ?? null;
  try {
    const value: unknown = JSON.parse(trimmed);
    const source = readObject(value);
    const named = source?.tx_hash ?? readObject(source?.transaction)?.hash ?? value;
    return readHash(named) ?? null;
  } catch {
    return null;
  }
}

const linkStart = /^https?:\/\//i;

const kinds =
  'The line is no hash, no case file, and no {"transaction", "receipt"}: see the table of lines in docs/volume.md.';

function parseLine(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    // A number or a word may be a wrong hash. The parser's message would not help then.
    const why = /^["[{]/.test(text) ? `The line is no JSON: ${(error as Error).message}` : kinds;
    throw new LineError("invalid_json", why);
  }
}

function readGivenHash(value: unknown): Hash {
  const hash = readHash(value);
  if (hash === undefined)
    throw new LineError("invalid_tx_hash", "The hash is not 0x followed by 64 hex digits, nor a link with them.");
  return hash;
}

function readGivenCase(value: JsonObject): CaseFile {
  const caseFile = checkCase(value, "the line");
  if (caseFile.chain_id === chain.id) return caseFile;
  throw new LineError(
    "wrong_chain",
    `The case is of chain ${caseFile.chain_id}; these rules are for ${chain.name}, chain ${chain.id}.`,
  );
}
