import { LRUCache } from "lru-cache";
import type { Address } from "../../../kernel/address.ts";
import { type JsonObject, readObject } from "../../../kernel/canonical.ts";
import { readQuantity } from "../../../kernel/hex.ts";
import { serviceLimits } from "../../../kernel/limits.ts";
import type { TransactionPlace } from "../../../model/lookup-plan.ts";
import type { HistoryLookup } from "../../../model/risk-lookups.ts";
import type { AccountList, Blockscout } from "../../network/blockscout/blockscout.ts";
import type { Rows } from "../../network/blockscout/pages.ts";
import type { Clock } from "../../network/health/endpoint-health.ts";
import { byteSize } from "../byte-size.ts";
import { partiesOfTransaction, partyIn, paymentOf, type ReadGrantee, receiverOfTransfer } from "./own-act.ts";

export interface HistoryQuestion {
  account: Address;
  place: TransactionPlace;
  signal: AbortSignal;
  /** ISO 8601, UTC. */
  time(): string;
}

/** Before a transaction. Never rejects. */
export type LookUpHistory = (question: HistoryQuestion) => Promise<HistoryLookup>;

/**
 * Transactions, own inner calls, token transfers in them; up to `pages` of each list at once. Only own acts count: anybody can log an
 * account's address.
 */
export function createSenderHistory(
  blockscout: Blockscout,
  options: { pages: number; readGrantee: ReadGrantee; clock: Clock; cacheBytes?: number },
): LookUpHistory {
  const { pages, readGrantee, clock, cacheBytes: maxSize = serviceLimits.historyCacheBytes } = options;
  const size = { maxSize, sizeCalculation: byteSize };
  const memory = new LRUCache<string, HistoryLookup>({ ...size, ttl: keepMs, ttlResolution: 0, perf: clock });
  return async ({ account, place, signal, time }) => {
    const key = `${account}${place.hash}`;
    const known = memory.get(key);
    if (known !== undefined) return known;
    const from = { block_number: String(place.block + 1), index: "0", items_count: "50" };
    const read = (list: AccountList, start: Record<string, string>) =>
      blockscout.readAccountList({ account, list, start, pages, signal });
    const [transactions, transfers, inner] = await Promise.all([
      read("transactions", from),
      read("token-transfers", from),
      read("internal-transactions", { ...from, transaction_index: "0" }),
    ]);
    const base = { source: blockscout.name, time: time() };
    if (transactions === undefined || transfers === undefined || inner === undefined)
      return { ...base, ...silent, ...(blockscout.wantsKey.history() ? { reason: "key_missing" } : {}) };
    const told = { ...base, ...digest({ transactions, transfers, inner }, { account, place, readGrantee }) };
    memory.set(key, told);
    return told;
  };
}

const keepMs = 60_000;

const silent = {
  status: "unavailable" as const,
  complete: false,
  through_code: false,
  counterparties: [],
  unordered: [],
};

interface Lists {
  transactions: Rows;
  transfers: Rows;
  inner: Rows;
}

type Digest = Omit<HistoryLookup, "source" | "time">;

function digest(
  lists: Lists,
  { account, place, readGrantee }: Pick<HistoryQuestion, "account" | "place"> & { readGrantee: ReadGrantee },
): Digest {
  const before = { counterparties: new Set<Address>(), unordered: new Set<Address>() };
  const own = new Map<string, Order>();
  let sent = 0;
  for (const row of lists.transactions.rows) {
    const order = orderOf(row, place);
    if (partyIn(row.from) !== account || order === "after") continue;
    sent++;
    own.set(String(row.hash), order);
    for (const party of partiesOfTransaction(row, readGrantee)) note(before, order, party);
  }
  const calls = lists.inner.rows.filter((row) => partyIn(row.from) === account && orderOf(row, place) !== "after");
  for (const row of calls) {
    const order = orderOf(row, place);
    own.set(hashOf(row), order);
    const to = partyIn(row.to) ?? partyIn(row.created_contract);
    const type = String(row.type ?? "");
    if (row.success === true && to !== undefined && !/delegate|static/.test(type)) note(before, order, to);
  }
  const payments: { amount: string; time: string }[] = [];
  for (const row of lists.transfers.rows) {
    const order = own.get(hashOf(row));
    const to = receiverOfTransfer(row);
    if (order === undefined || to === undefined || partyIn(row.from) !== account) continue;
    note(before, order, to);
    const payment = paymentOf(row);
    if (payment !== undefined && payments.length < paymentsMax) payments.push(payment);
  }
  const ended = lists.transactions.ended && lists.transfers.ended && lists.inner.ended;
  const complete = ended && isWhole(sent, calls.length, account, place);
  const counterparties = [...before.counterparties].sort();
  const unordered = [...before.unordered].filter((party) => !before.counterparties.has(party)).sort();
  return {
    status: complete ? "found" : "inconclusive",
    complete,
    through_code: calls.length > 0,
    counterparties,
    unordered,
    ...(payments.length === 0 ? {} : { payments }),
  };
}

/** Poisoning copies a payment within a day: few are enough. */
const paymentsMax = 20;

/**
 * A late or incomplete index must not prove absence. A sender's nonce counts its transactions; others have no number, so empty lists prove
 * nothing.
 */
function isWhole(sent: number, calls: number, account: Address, place: TransactionPlace): boolean {
  if (account === place.from && place.nonce !== null) return sent >= place.nonce;
  return sent + calls > 0;
}

type Order = "before" | "unknown" | "after";

function note(before: { counterparties: Set<Address>; unordered: Set<Address> }, order: Order, party: Address): void {
  if (order === "before") before.counterparties.add(party);
  if (order === "unknown") before.unordered.add(party);
}

/** In one block by transaction index. Not its own history. */
function orderOf(row: JsonObject, place: TransactionPlace): Order {
  const block = readQuantity(row.block_number ?? row.block);
  if (hashOf(row) === place.hash || block === undefined || block > BigInt(place.block)) return "after";
  if (block < BigInt(place.block)) return "before";
  const index = readQuantity(row.position ?? row.transaction_index);
  if (index === undefined || place.index === null) return "unknown";
  return index < BigInt(place.index) ? "before" : "after";
}

function hashOf(row: JsonObject): string {
  return String(row.hash ?? row.transaction_hash ?? readObject(row.transaction)?.hash ?? row.tx_hash);
}
