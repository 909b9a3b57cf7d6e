import { readAddress } from "../../../kernel/address.ts";
import { type JsonObject, readObject } from "../../../kernel/canonical.ts";
import { readQuantity } from "../../../kernel/hex.ts";
import type { InternalTransfer } from "../../../model/case-file.ts";
import type { Rows } from "./pages.ts";

/** `unlisted`: unknown transaction. `unclear`: too long or ambiguous. `keyless`: wants a key. `failed`: no answer. */
export type InternalTransferAnswer = InternalTransfer[] | "unlisted" | "unclear" | "keyless" | "failed";

interface Row {
  transfer: InternalTransfer;
  index: unknown;
}

/** Creations and calls with value, in order; no call tree. */
export function readInternalTransfers(pages: Rows | number | "failed"): InternalTransferAnswer {
  if (pages === 404) return "unlisted";
  if (typeof pages !== "object") return "failed";
  if (!pages.ended) return "unclear";
  const rows = pages.rows.map(readRow);
  if (!rows.every((row) => row !== undefined)) return "failed";
  // Index 0 is the transaction itself, listed by some versions for a creation.
  const inner = rows.filter((row) => row.index !== 0).map((row) => row.transfer);
  const moving = inner.filter(movesValue);
  return isAmbiguous(inner, moving) ? "unclear" : moving;
}

function readRow(item: JsonObject): Row | undefined {
  const from = readParty(item.from);
  const value = readQuantity(item.value ?? 0);
  if (from === null || value === undefined) return undefined;
  const listed = typeof item.call_type === "string" && item.call_type !== "" ? item.call_type : item.type;
  const type = item.type === "create" || item.type === "create2" || typeof listed !== "string" ? item.type : listed;
  if (typeof type !== "string") return undefined;
  const to = readParty(item.to) ?? readParty(item.created_contract);
  return {
    transfer: { type: type.toLowerCase(), from, to, value: value.toString(), success: item.success === true },
    index: item.index,
  };
}

function readParty(value: unknown): string | null {
  return readAddress(readObject(value)?.hash) ?? null;
}

function isCreation(transfer: InternalTransfer): boolean {
  return transfer.type === "create" || transfer.type === "create2";
}

/** delegatecall and staticcall repeat a value that did not move. */
function movesValue(transfer: InternalTransfer): boolean {
  if (isCreation(transfer)) return true;
  return transfer.value !== "0" && transfer.type !== "delegatecall" && transfer.type !== "staticcall";
}

/** A failed call undoes all inside, and the list does not show what was: rows from an address with a failed call are unclear. */
function isAmbiguous(all: readonly InternalTransfer[], moving: readonly InternalTransfer[]): boolean {
  const failed = new Set(all.filter((transfer) => !transfer.success).map((transfer) => transfer.to));
  return moving.some((transfer) => transfer.success && transfer.value !== "0" && failed.has(transfer.from));
}
