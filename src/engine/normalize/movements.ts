import { type Address, readAddress, zeroAddress } from "../../kernel/address.ts";
import { readQuantity } from "../../kernel/hex.ts";
import { limits } from "../../kernel/limits.ts";
import {
  depositTopic,
  transferBatchTopic,
  transferSingleTopic,
  transferTopic,
  withdrawalTopic,
} from "../../kernel/token-standards.ts";
import { addressOfWord, isAddressWord } from "../../kernel/word.ts";
import type { InternalTransfer } from "../../model/case-file.ts";
import type { Call, Log, Movement, Transaction } from "../../model/transaction.ts";

export interface MovementSource extends Pick<Transaction, "from" | "to" | "value" | "depositMint" | "weth" | "listed"> {
  calls: readonly Call[];
  logs: readonly Log[];
  /** `calls` is the real call tree. */
  traced: boolean;
  /** Of an explorer; null: none. */
  internal: readonly InternalTransfer[] | null;
}

/** In order; delegatecalls and reverted frames move nothing. Beyond the limit the least important go; `truncated`: how many. */
export function collectMovements(tx: MovementSource, truncated: string[]): Movement[] {
  const out: Movement[] = [];
  const { internal, weth } = tx;
  const nativeListed = tx.traced || internal !== null;
  if (tx.depositMint > 0n)
    out.push(
      native(out.length, { from: zeroAddress, to: tx.from, amount: tx.depositMint, basis: "transaction", call: 0 }),
    );
  const root = tx.calls[0] as Call;
  if (tx.value > 0n && root.to !== null)
    out.push(native(out.length, { from: tx.from, to: root.to, amount: tx.value, basis: "transaction", call: 0 }));
  const frames = tx.traced ? tx.calls.slice(1).filter(movesNative) : [];
  let next = 0;
  const rows = placedRows(internal ?? []);
  let listed = 0;
  for (const log of tx.logs) {
    for (let row = rows.placed[listed]; row !== undefined && row.before <= log.index; row = rows.placed[++listed])
      out.push({ ...row.movement, index: out.length });
    for (; next < frames.length && (frames[next] as Call).index <= log.call; next++)
      out.push(ofFrame(out.length, frames[next] as Call));
    readLog(log, { weth, nativeListed, out });
  }
  for (; next < frames.length; next++) out.push(ofFrame(out.length, frames[next] as Call));
  for (const { movement } of rows.placed.slice(listed)) out.push({ ...movement, index: out.length });
  for (const movement of rows.others) out.push({ ...movement, index: out.length });
  return keepWhatMatters(out, tx, truncated);
}

/** `placed`: known place among the logs, in order. */
interface ListedRows {
  placed: { before: number; movement: Movement }[];
  others: Movement[];
}

function placedRows(list: readonly InternalTransfer[]): ListedRows {
  const rows: ListedRows = { placed: [], others: [] };
  for (const row of list) {
    const from = readAddress(row.from);
    const to = readAddress(row.to);
    const value = readQuantity(row.value) ?? 0n;
    if (!row.success || value === 0n || from === undefined || to === undefined || /delegate|static/.test(row.type))
      continue;
    const movement = native(0, { from, to, amount: value, basis: "internal", call: -1 });
    if (row.logs_before === undefined) rows.others.push(movement);
    else rows.placed.push({ before: row.logs_before, movement });
  }
  return rows;
}

function movesNative(call: Call): boolean {
  return (
    call.ok &&
    call.value > 0n &&
    call.to !== null &&
    call.kind !== "delegatecall" &&
    call.kind !== "staticcall" &&
    call.kind !== "callcode"
  );
}

function ofFrame(index: number, { from, to, value, index: call }: Call): Movement {
  return native(index, { from, to: to as Address, amount: value, basis: "trace", call });
}

type Native = Pick<Movement, "from" | "to" | "amount" | "basis" | "call">;

function native(index: number, { from, to, amount, basis, call }: Native): Movement {
  return { index, standard: "native", token: null, tokenId: null, amount, from, to, log: -1, call, fee: false, basis };
}

interface Reading {
  weth: ReadonlySet<Address>;
  /** A trace or an explorer's list shows ether. */
  nativeListed: boolean;
  out: Movement[];
}

function readLog(log: Log, { weth, nativeListed, out }: Reading): void {
  const topic = log.topics[0];
  if (topic === transferTopic) readTransfer(log, out);
  else if (topic === transferSingleTopic) readSingle(log, out);
  else if (topic === transferBatchTopic) readBatch(log, out);
  else if ((topic === depositTopic || topic === withdrawalTopic) && weth.has(log.address))
    readWrap(log, topic === depositTopic, nativeListed, out);
}

function readTransfer({ address, topics, data, index, call }: Log, out: Movement[]): void {
  const [, from, to, id] = topics;
  const isNft = topics.length === 4;
  if (!isNft && (topics.length !== 3 || data.length < 66)) return;
  if (!isAddressWord(from) || !isAddressWord(to)) return;
  out.push({
    index: out.length,
    standard: isNft ? "erc721" : "erc20",
    token: address,
    tokenId: isNft ? BigInt(id as string) : null,
    amount: isNft ? 1n : BigInt(data.slice(0, 66)),
    from: addressOfWord(from),
    to: addressOfWord(to),
    log: index,
    call,
    fee: false,
    basis: "log",
  });
}

/** EIP-1155. */
function readSingle(log: Log, out: Movement[]): void {
  const base = multiOf(log);
  if (base !== undefined && log.data.length >= 130)
    out.push({ index: out.length, ...base, tokenId: wordAt(log.data, 0), amount: wordAt(log.data, 1) });
}

/** EIP-1155; arrays of equal length. */
function readBatch(log: Log, out: Movement[]): void {
  const base = multiOf(log);
  const ids = findArray(log.data, 0);
  const amounts = findArray(log.data, 1);
  if (base === undefined || ids === undefined || ids.length !== amounts?.length) return;
  for (let i = 0; i < ids.length; i++)
    out.push({
      index: out.length,
      ...base,
      tokenId: wordAt(log.data, ids.start + i),
      amount: wordAt(log.data, amounts.start + i),
    });
}

function multiOf(log: Log): Omit<Movement, "index" | "tokenId" | "amount"> | undefined {
  const [, , from, to] = log.topics;
  if (log.topics.length !== 4 || !isAddressWord(from) || !isAddressWord(to)) return undefined;
  const parties = { from: addressOfWord(from), to: addressOfWord(to) };
  return {
    standard: "erc1155",
    token: log.address,
    ...parties,
    log: log.index,
    call: log.call,
    fee: false,
    basis: "log",
  };
}

function readWrap(log: Log, wraps: boolean, nativeListed: boolean, out: Movement[]): void {
  const who = log.topics[1];
  if (log.topics.length !== 2 || log.data.length < 66 || !isAddressWord(who)) return;
  const account = addressOfWord(who);
  const amount = BigInt(log.data.slice(0, 66));
  const base = {
    standard: "erc20" as const,
    token: log.address,
    tokenId: null,
    amount,
    log: log.index,
    call: log.call,
    fee: false,
    basis: "log" as const,
  };
  if (wraps) out.push({ index: out.length, ...base, from: log.address, to: account });
  else {
    out.push({ index: out.length, ...base, from: account, to: log.address });
    // WETH sends exactly this to the caller. Without a trace nothing else shows ether.
    if (!nativeListed)
      out.push(native(out.length, { from: log.address, to: account, amount, basis: "inferred", call: -1 }));
  }
}

/** In words; undefined when the data ends before. */
function findArray(data: string, head: number): { start: number; length: number } | undefined {
  if (data.length < 2 + 64 * (head + 1)) return undefined;
  const offset = wordAt(data, head);
  if (offset % 32n !== 0n || offset > BigInt(data.length)) return undefined;
  const start = Number(offset / 32n) + 1;
  if (data.length < 2 + 64 * start) return undefined;
  const length = Number(wordAt(data, start - 1));
  return data.length < 2 + 64 * (start + length) ? undefined : { start, length };
}

function wordAt(data: string, index: number): bigint {
  return BigInt(`0x${data.slice(2 + index * 64, 66 + index * 64)}`);
}

/**
 * In order. First what nobody can make up (ether, listed tokens), of the sender and the called account before others. Transfers of 0 are
 * dropped first. `truncated`: how many are dropped.
 */
export function keepWhatMatters(
  movements: Movement[],
  tx: Pick<Transaction, "from" | "to" | "listed">,
  truncated: string[],
): Movement[] {
  const excess = movements.length - limits.movementsMax;
  if (excess <= 0) return movements;
  truncated.push(`${excess} movements`);
  const byRank: Movement[][] = [[], [], [], [], []];
  for (const movement of movements) byRank[rankOf(movement, tx)]?.push(movement);
  const kept = byRank.flat().slice(0, limits.movementsMax);
  return kept.sort((a, b) => a.index - b.index).map((movement, index) => ({ ...movement, index }));
}

/** 0 is kept first, 4 dropped first. */
function rankOf(
  { token, from, to, amount }: Movement,
  tx: { from: Address; to: Address | null; listed: ReadonlySet<Address> },
): number {
  if (amount === 0n) return 4;
  const own = from === tx.from || to === tx.from || from === tx.to || to === tx.to;
  if (token === null || tx.listed.has(token)) return own ? 0 : 1;
  return own ? 2 : 3;
}
