import { type Address, readAddress } from "../../../kernel/address.ts";
import { readQuantity } from "../../../kernel/hex.ts";
import { transferBatchTopic, transferSingleTopic, transferTopic } from "../../../kernel/token-standards.ts";
import { addressOfWord, isAddressWord } from "../../../kernel/word.ts";
import type { InternalTransfer } from "../../../model/case-file.ts";
import type { CallStep, EmittedLog, Holding, Move } from "./facts.ts";
import { events } from "./signatures.ts";

interface MoveSource {
  logs: readonly EmittedLog[];
  steps: readonly CallStep[];
  /** An explorer's list, where there is no call tree. */
  listed: readonly InternalTransfer[];
  etherKnown: boolean;
  wrapped: ReadonlySet<Address>;
}

/** Logs first; without movements of 0 or from an account to itself. */
export function readMoves({ logs, steps, listed, etherKnown, wrapped }: MoveSource): Move[] {
  const tokens = logs.flatMap((log) => [...ofTransfer(log), ...ofWrapping(log, wrapped.has(log.address), etherKnown)]);
  const called = steps.filter(({ type }) => !/DELEGATE|STATIC|CALLCODE/.test(type)).map(ofStep);
  const rows = listed.flatMap((row) => {
    const [from, to, amount] = [readAddress(row.from), readAddress(row.to), readQuantity(row.value)];
    if (!row.success || /delegate|static/.test(row.type)) return [];
    return from === undefined || to === undefined || amount === undefined ? [] : [ether(from, to, amount)];
  });
  return [...tokens, ...called, ...rows].filter((move) => move.amount > 0n && move.from !== move.to);
}

/** `token` null: ether. */
export function holdingOf(token: Address | null, id: bigint | null): Holding {
  return { key: `${token ?? "ether"}${id === null ? "" : `#${id}`}`, token, id };
}

function ofStep({ from, to, value }: CallStep): Move {
  return ether(from, to, value);
}

function ether(from: Address, to: Address, amount: bigint): Move {
  return { ...holdingOf(null, null), amount, from, to, log: -1 };
}

function ofTransfer({ address, topics, data, index }: EmittedLog): Move[] {
  const [topic, first, second, third] = topics;
  const move = (from: string | undefined, to: string | undefined, id: bigint | null, amount: bigint): Move[] =>
    isAddressWord(from) && isAddressWord(to)
      ? [{ ...holdingOf(address, id), amount, from: addressOfWord(from), to: addressOfWord(to), log: index }]
      : [];
  if (topic === transferTopic && topics.length === 4) return move(first, second, BigInt(third as string), 1n);
  if (topic === transferTopic && topics.length === 3 && data.length >= 66)
    return move(first, second, null, wordAt(data, 0));
  if (topics.length !== 4) return [];
  if (topic === transferSingleTopic && data.length >= 130) return move(second, third, wordAt(data, 0), wordAt(data, 1));
  if (topic !== transferBatchTopic) return [];
  const [ids, amounts] = [arrayAt(data, 0), arrayAt(data, 1)];
  return ids.length === amounts.length ? ids.flatMap((id, i) => move(second, third, id, amounts[i] as bigint)) : [];
}

/** WETH9 has its own events. Without known ether transfers, the event of unwrapping also shows the ether. */
function ofWrapping({ address, topics, data, index }: EmittedLog, isWrapped: boolean, etherKnown: boolean): Move[] {
  const [topic, word] = topics;
  if (!isWrapped || topics.length !== 2 || data.length < 66 || !isAddressWord(word)) return [];
  const who = addressOfWord(word);
  const wrapped = { ...holdingOf(address, null), amount: wordAt(data, 0), log: index };
  if (topic === events.wrapped) return [{ ...wrapped, from: address, to: who }];
  if (topic !== events.unwrapped) return [];
  const burnt = { ...wrapped, from: who, to: address };
  return etherKnown ? [burnt] : [burnt, ether(address, who, wrapped.amount)];
}

/** ABI-encoded; empty when the data is too short. */
function arrayAt(data: string, head: number): bigint[] {
  if (data.length < 66 + 64 * head) return [];
  const offset = wordAt(data, head);
  if (offset % 32n !== 0n || offset > BigInt(data.length)) return [];
  const start = Number(offset / 32n);
  if (data.length < 66 + 64 * start) return [];
  const length = wordAt(data, start);
  if (length > BigInt(data.length) || data.length < 66 + 64 * (start + Number(length))) return [];
  return Array.from({ length: Number(length) }, (_, i) => wordAt(data, start + 1 + i));
}

export function wordAt(data: string, index: number): bigint {
  return BigInt(`0x${data.slice(2 + index * 64, 66 + index * 64)}`);
}
