import { LRUCache } from "lru-cache";
import { readAddress } from "../kernel/address.ts";
import { type Hash, readQuantity } from "../kernel/hex.ts";
import { limits } from "../kernel/limits.ts";
import type { InternalTransfer } from "../model/case-file.ts";
import type { Clock } from "./endpoint.ts";
import { type RpcObject, readObject } from "./ledger.ts";

/** `unlisted`: it does not know the transaction. `unclear`: it lists more than can be read or told apart. `failed`: no answer. */
export type ExplorerAnswer = InternalTransfer[] | "unlisted" | "unclear" | "failed";

/** A block explorer's list of native movements inside a transaction. */
export interface Explorer {
  listInternal(hash: Hash, signal: AbortSignal): Promise<ExplorerAnswer>;
}

export interface ExplorerOptions {
  /** Milliseconds for one page. */
  callTimeoutMs: number;
  clock: Clock;
}

/** Blockscout API v2, `/api/v2/transactions/{hash}/internal-transactions`. Never rejects. After a failure it rests for a while. */
export function createExplorer(url: string, { callTimeoutMs, clock }: ExplorerOptions): Explorer {
  const resting = new LRUCache<"resting", true>({ max: 1, ttl: restMs, ttlResolution: 0, perf: clock });
  const base = url.replace(/\/+$/, "");

  async function listInternal(hash: Hash, signal: AbortSignal): Promise<ExplorerAnswer> {
    const rows: RpcObject[] = [];
    let query: string | null = "";
    for (let page = 0; page < limits.explorerPagesMax; page++) {
      const address = `${base}/api/v2/transactions/${hash}/internal-transactions${query}`;
      const read = await fetchPage(address, AbortSignal.any([signal, AbortSignal.timeout(callTimeoutMs)]));
      if (read === "unlisted") return read;
      rows.push(...read.items);
      query = nextQuery(read.next);
      if (query === null) return readRows(rows);
    }
    return "unclear";
  }

  return {
    async listInternal(hash, signal) {
      if (resting.has("resting")) return "failed";
      try {
        return await listInternal(hash, signal);
      } catch {
        if (!signal.aborted) resting.set("resting", true);
        return "failed";
      }
    },
  };
}

const restMs = 10_000;

interface Page {
  items: RpcObject[];
  next: RpcObject | undefined;
}

/** Throws on every answer that is neither a page nor "not found". */
async function fetchPage(url: string, signal: AbortSignal): Promise<Page | "unlisted"> {
  const response = await fetch(url, { signal, headers: { accept: "application/json" } });
  if (response.status === 404) {
    await response.body?.cancel();
    return "unlisted";
  }
  if (!response.ok) throw new Error(`explorer answered ${response.status}`);
  const body = readObject(await response.json());
  const items = Array.isArray(body?.items) ? body.items.map(readObject) : [undefined];
  if (!items.every((item) => item !== undefined)) throw new Error("explorer answered no list");
  return { items, next: readObject(body?.next_page_params) };
}

function nextQuery(next: RpcObject | undefined): string | null {
  if (next === undefined) return null;
  const pairs = Object.entries(next).flatMap(([key, value]): [string, string][] =>
    value === null ? [] : [[key, String(value)]],
  );
  return `?${new URLSearchParams(pairs)}`;
}

interface Row {
  transfer: InternalTransfer;
  index: unknown;
}

/** Creations and the calls that carry value, in the explorer's order. The list has no tree. */
function readRows(items: readonly RpcObject[]): ExplorerAnswer {
  const rows = items.map(readRow);
  if (!rows.every((row) => row !== undefined)) return "failed";
  // index 0 is the transaction itself, which some versions list when it creates a contract
  const inner = rows.filter((row) => row.index !== 0).map((row) => row.transfer);
  const moving = inner.filter(movesValue);
  return isAmbiguous(inner, moving) ? "unclear" : moving;
}

function readRow(item: RpcObject): Row | undefined {
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

/** delegatecall and staticcall rows repeat a value that does not move. */
function movesValue(transfer: InternalTransfer): boolean {
  if (isCreation(transfer)) return true;
  return transfer.value !== "0" && transfer.type !== "delegatecall" && transfer.type !== "staticcall";
}

/** What a failed call did inside is undone, but the list does not say which rows were inside: those of its callee might be. */
function isAmbiguous(all: readonly InternalTransfer[], moving: readonly InternalTransfer[]): boolean {
  const failed = new Set(all.filter((transfer) => !transfer.success).map((transfer) => transfer.to));
  return moving.some((transfer) => transfer.success && transfer.value !== "0" && failed.has(transfer.from));
}
