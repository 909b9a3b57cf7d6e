// Transactions as large as a block allows, made in memory: what a hostile contract can really write.
import type { Hash } from "../../src/kernel/hex.ts";
import type { CaseFile, RpcFrame, RpcLog } from "../../src/model/case-file.ts";

/** A kind of large transaction. `count`: the number of its logs, calls or items, by kind. */
export interface Large {
  name: string;
  count: number;
  make(count: number): CaseFile;
}

const sender = addressOf(0xa11ce);
const hostile = addressOf(0xbad);
const junk = addressOf(0x1a);
const usdc = "0x833589fcd6edb6e08f4c7c32d4f71b54bda02913";
const pool = addressOf(0x9001);
const router = addressOf(0x9002);
const entryPoint = "0x0000000071727de22e5e9d8baf0edac6f37da032";

const topics = {
  transfer: "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef",
  approval: "0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925",
  swapV2: "0xd78ad95fa46c994b6551d0da85fc275fe613ce37657fb8d5e3d130840159d822",
  swapV3: "0xc42079f94a6350d7e6235f29174924f928cc2ac818eb64fed8004e115fbcca67",
  batch: "0x4a39dc06d4c0dbc64b70af90fd698a233a518aa5d07e595d983b8c0526c8f7fb",
  operation: "0x49628fd1471006c1482da88028e9ce4dbb080b815c9b0344d39e5a8e6ec1419f",
};

/** The largest transaction of each kind that 60 million gas can pay for, or larger. */
export const largest: readonly Large[] = [
  { name: "transfers of one token", count: 6_000, make: (n) => logsOnly(n, (i) => transfer(junk, hostile, person(i))) },
  {
    name: "transfers out, many tokens",
    count: 6_000,
    make: (n) => logsOnly(n, (i) => transfer(addressOf(0x70000 + i), sender, person(i))),
  },
  {
    name: "transfers in, many tokens",
    count: 6_000,
    make: (n) => logsOnly(n, (i) => transfer(addressOf(0x70000 + i), person(i), sender)),
  },
  { name: "transfers in and out", count: 6_000, make: (n) => logsOnly(n, (i) => transfer(junk, ...pairOf(i))) },
  { name: "transfers of USDC, out", count: 6_000, make: (n) => logsOnly(n, (i) => transfer(usdc, sender, person(i))) },
  { name: "transfers of USDC, taken", count: 6_000, make: taken },
  { name: "transfers of USDC, taken unseen", count: 6_000, make: (n) => unseen(taken(n)) },
  { name: "receipts destroyed, others paid", count: 6_000, make: (n) => logsOnly(n, (i) => destroyed(i, n)) },
  {
    name: "transfers of nothing",
    count: 6_000,
    make: (n) => logsOnly(n, (i) => transfer(junk, person(i), person(i + 1), 0n)),
  },
  {
    name: "allowances, many tokens",
    count: 6_000,
    make: (n) => logsOnly(n, allowance),
  },
  { name: "allowances, the same again", count: 6_000, make: (n) => logsOnly(n, () => allowance(0)) },
  { name: "allowances of others", count: 6_000, make: (n) => unseen(logsOnly(n, (i) => allowanceOf(usdc, person(i)))) },
  { name: "swaps of a pool, V2", count: 6_000, make: (n) => logsOnly(n, (i) => swapV2(i)) },
  { name: "swaps of a pool, V3", count: 6_000, make: (n) => logsOnly(n, (i) => swapV3(pool, i)) },
  { name: "swaps of many pools", count: 6_000, make: (n) => logsOnly(n, (i) => swapV3(addressOf(0x50000 + i), i)) },
  { name: "real swaps", count: 6_000, make: realSwaps },
  { name: "logs without topics", count: 60_000, make: (n) => logsOnly(n, () => log(junk, [], [])) },
  { name: "items of ERC-1155 batches, out", count: 120_000, make: (n) => batches(n, sender, hostile) },
  { name: "items of ERC-1155 batches, in", count: 120_000, make: (n) => batches(n, hostile, sender) },
  { name: "items of one ERC-1155 batch", count: 120_000, make: (n) => logsOnly(1, () => batch(n, sender, hostile, 0)) },
  { name: "frames beside 4,000 transfers", count: 15_000, make: (n) => frames(n) },
  { name: "frames with ether", count: 6_000, make: (n) => etherFrames(n) },
  { name: "calls of a multicall", count: 500, make: multicall },
  { name: "user operations", count: 1_000, make: (n) => logsOnly(n * 4, operations) },
  { name: "authorizations", count: 1_200, make: authorizations },
];

/** Transactions of any number of logs. */
export const growing: readonly Omit<Large, "count">[] = [
  { name: "transfers of one token", make: (n) => logsOnly(n, (i) => transfer(junk, hostile, person(i))) },
  { name: "transfers of the sender", make: (n) => logsOnly(n, (i) => transfer(usdc, sender, person(i))) },
  { name: "swaps of a pool", make: realSwaps },
  { name: "allowances", make: (n) => logsOnly(n, allowance) },
];

function logsOnly(count: number, make: (i: number) => RpcLog): CaseFile {
  return caseOf({ logs: Array.from({ length: count }, (_, i) => make(i)) });
}

/** Every swap with its two transfers, as a pool writes them. */
function realSwaps(count: number): CaseFile {
  return logsOnly(count, (i) => {
    if (i % 3 === 0) return transfer(usdc, pool, sender);
    return i % 3 === 1 ? transfer(junk, sender, pool) : swapV3(pool, i);
  });
}

/** The sender's receipts are destroyed one by one, each with a payment to somebody else. In the end the sender gets a trifle. */
function destroyed(i: number, count: number): RpcLog {
  if (i === count - 1) return transfer(usdc, hostile, sender);
  return i % 2 === 0 ? transfer(junk, sender, addressOf(0)) : transfer(usdc, junk, person(i));
}

/** A contract takes USDC from this many owners, by their allowances. */
function taken(count: number): CaseFile {
  const logs = Array.from({ length: count }, (_, i) => transfer(usdc, person(i), hostile));
  const calls = logs.map((one) => {
    const input = `0x23b872dd${[...one.topics.slice(1), one.data].map((text) => text.slice(2)).join("")}`;
    return { ...call(hostile, usdc), input, logs: [one] };
  });
  return caseOf({ logs, calls });
}

/** The same where nobody gave a call tree. */
function unseen(file: CaseFile): CaseFile {
  return { ...file, trace: { source: "none", reason: "not asked" } };
}

function batches(items: number, from: string, to: string): CaseFile {
  return logsOnly(8, (i) => batch(items / 8, from, to, (i * items) / 8));
}

function frames(count: number): CaseFile {
  const logs = Array.from({ length: 4_000 }, (_, i) => transfer(junk, person(i), person(i + 1), 0n));
  const calls = Array.from({ length: count }, (_, i) => call(hostile, addressOf(0xf000 + (i % 50))));
  return caseOf({ logs, calls: [...calls, { ...call(hostile, junk), logs }] });
}

function etherFrames(count: number): CaseFile {
  const calls = Array.from({ length: count }, (_, i) => ({ ...call(hostile, person(i)), value: "0x1" }));
  return caseOf({ logs: [transfer(usdc, sender, hostile)], calls, value: "0xde0b6b3a7640000" });
}

/** `multicall(bytes[])` with many small calls, beside transfers. */
function multicall(count: number): CaseFile {
  const item = `${word(32n).slice(2)}${"70a08231".padEnd(64, "0")}`.replace(/^.{64}/, word(4n).slice(2));
  const heads = Array.from({ length: count }, (_, i) => word(BigInt(32 * count + 64 * i)).slice(2)).join("");
  const input = `0xac9650d8${word(32n).slice(2)}${word(BigInt(count)).slice(2)}${heads}${item.repeat(count)}`;
  const logs = Array.from({ length: 5_000 }, (_, i) => transfer(junk, ...pairOf(i)));
  const calls = Array.from({ length: count }, () => ({
    ...call(hostile, hostile),
    type: "DELEGATECALL",
    input: "0x70a08231",
  }));
  return caseOf({ logs, input, calls: [...calls, { ...call(hostile, junk), logs }] });
}

/** For each account: the event of its operation, what the paymaster took, and two swaps. */
function operations(i: number): RpcLog {
  const account = person(i >> 2);
  if (i % 4 === 0) return transfer(usdc, account, addressOf(0x9a9));
  if (i % 4 < 3) return transfer(junk, account, pool);
  return log(
    entryPoint,
    [topics.operation, word(BigInt(i)), word(account), word(addressOf(0x9a9))],
    [1n, 1n, 1_000_000n, 10n],
  );
}

function authorizations(count: number): CaseFile {
  const file = caseOf({ logs: [transfer(usdc, sender, hostile)] });
  const authorizationList = Array.from({ length: count }, (_, i) => ({
    ...{ chainId: "0x2105", address: addressOf(0xde1e + i), nonce: `0x${i.toString(16)}`, yParity: "0x0" },
    ...{
      r: word(BigInt(i) + 0x79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798n),
      s: word(1n + BigInt(i)),
    },
  }));
  return { ...file, transaction: { ...file.transaction, type: "0x4", authorizationList } };
}

interface Parts {
  logs: RpcLog[];
  calls?: RpcFrame[];
  input?: string;
  value?: string;
}

function caseOf({ logs, calls, input = "0x4e71d92d", value = "0x0" }: Parts): CaseFile {
  const hash = word(7n) as Hash;
  const root: RpcFrame = { ...call(sender, hostile), input, value, calls: calls ?? [{ ...call(hostile, junk), logs }] };
  const numbered = logs.map((one, i) => ({ ...one, logIndex: `0x${i.toString(16)}` }));
  return {
    ...{ version: 2, chain_id: 8453, tx_hash: hash, gathered_at: "2026-07-01T00:00:00Z" },
    transaction: { hash, type: "0x2", from: sender, to: hostile, value, input, nonce: "0x5", gas: "0x1000000" },
    receipt: {
      status: "0x1",
      from: sender,
      to: hostile,
      gasUsed: "0xf00000",
      effectiveGasPrice: "0x1000000",
      l1Fee: "0x1",
      logs: numbered,
    },
    block: { number: "0x2000000", timestamp: "0x68000000" },
    trace: { source: "debug_traceTransaction", root },
    ...{ tokens: {}, reads: [] },
    price: { status: "found", source: "chainlink", eth_usd: "3000" },
  };
}

function call(from: string, to: string): RpcFrame {
  return { type: "CALL", from, to, value: "0x0", input: "0x12345678" };
}

function log(address: string, topicList: readonly string[], data: readonly bigint[]): RpcLog {
  return { address, topics: [...topicList], data: `0x${data.map((value) => word(value).slice(2)).join("")}` };
}

function transfer(token: string, from: string, to: string, amount = 5n): RpcLog {
  return log(token, [topics.transfer, word(from), word(to)], [amount]);
}

function allowance(i: number): RpcLog {
  return allowanceOf(addressOf(0x70000 + i), sender, person(i));
}

function allowanceOf(token: string, owner: string, spender = hostile): RpcLog {
  return log(token, [topics.approval, word(owner), word(spender)], [-1n]);
}

function swapV2(i: number): RpcLog {
  return log(pool, [topics.swapV2, word(router), word(sender)], [BigInt(i + 1), 0n, 0n, BigInt(i + 2)]);
}

function swapV3(at: string, i: number): RpcLog {
  return log(at, [topics.swapV3, word(router), word(sender)], [BigInt(i + 1), -BigInt(i + 2), 1n << 96n, 1n, 1n]);
}

function batch(items: number, from: string, to: string, first: number): RpcLog {
  const ids = Array.from({ length: items }, (_, i) => BigInt(first + i));
  const data = [64n, BigInt(96 + 32 * items), BigInt(items), ...ids, BigInt(items), ...ids.map(() => 1n)];
  return log(junk, [topics.batch, word(hostile), word(from), word(to)], data);
}

function pairOf(i: number): [from: string, to: string] {
  return i % 2 === 0 ? [sender, person(i)] : [person(i), sender];
}

function person(i: number): string {
  return addressOf(0x1000000 + i);
}

function addressOf(number: number): string {
  return `0x${number.toString(16).padStart(40, "1")}`;
}

/** 32 bytes in hex; negative numbers as two's complement. */
function word(value: string | bigint): string {
  const digits = typeof value === "string" ? value.slice(2) : BigInt.asUintN(256, value).toString(16);
  return `0x${digits.padStart(64, "0")}`;
}
