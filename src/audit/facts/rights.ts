import type { Address } from "../../kernel/address.ts";
import { readQuantity } from "../../kernel/hex.ts";
import { addressOfWord, isAddressWord } from "../../kernel/word.ts";
import type { Knowledge } from "../knowledge.ts";
import type { CallStep, EmittedLog, Facts } from "./facts.ts";
import { sumOf } from "./losses.ts";
import { holdingOf, wordAt } from "./moves.ts";
import type { Authority } from "./principals.ts";
import { keyOfLog } from "./read-facts.ts";
import { events, spendingCalls } from "./signatures.ts";

/** A right over tokens of a principal that stands at the end. */
export interface Right {
  owner: Address;
  spender: Address;
  token: Address;
  /** What is left of it; for NFTs 1. */
  left: bigint;
  /** Position of the log that gave it. */
  log: number;
  /** False where the log may be the token's own bookkeeping after a spend, and no call tree tells. */
  certain: boolean;
}

/** A log that says who may take what. */
interface Notice extends Omit<Right, "left"> {
  key: string;
  amount: bigint;
}

/** Grants of principals by the last log about each of them, less what was taken by it. What the call tree shows to be bookkeeping is none. */
export function findRights(facts: Facts, principals: ReadonlyMap<Address, Authority>, knowledge: Knowledge): Right[] {
  const last = new Map<string, Notice>();
  for (const log of facts.logs) {
    const notice = readNotice(log, facts, knowledge);
    if (notice === undefined || !principals.has(notice.owner) || notice.spender === notice.owner) continue;
    const before = last.get(notice.key);
    // Bookkeeping does not make a grant; after a real one it says what is left.
    if (notice.certain || before?.certain !== true) last.set(notice.key, notice);
    else last.set(notice.key, { ...notice, log: before.log, certain: true });
  }
  return [...last.values()].flatMap(({ amount, key: _, ...grant }) => {
    const taken = grant.certain ? takenSince(grant, facts) : 0n;
    if (amount <= taken || (!grant.certain && facts.traced)) return [];
    return [{ ...grant, left: amount - taken }];
  });
}

function readNotice(log: EmittedLog, facts: Facts, knowledge: Knowledge): Notice | undefined {
  const { address, topics, data, index } = log;
  const [topic, first, second, third] = topics;
  if (knowledge.isPermit2(address)) return readPermit2(log, facts);
  if (!isAddressWord(first) || !isAddressWord(second)) return undefined;
  const [owner, spender] = [addressOfWord(first), addressOfWord(second)];
  const base = { owner, spender, token: address, log: index, certain: true };
  if (topic === events.approvalForAll && topics.length === 3 && data.length >= 66)
    return { ...base, key: `${address}${owner}${spender}all`, amount: wordAt(data, 0) };
  if (topic !== events.approval) return undefined;
  if (topics.length === 4 && third !== undefined)
    return { ...base, key: `${address}${owner}${third}`, amount: BigInt(spender) === 0n ? 0n : 1n };
  if (topics.length !== 3 || data.length < 66) return undefined;
  const certain = !isMaybeBooks(log, owner, facts);
  return { ...base, key: `${address}${owner}${spender}`, amount: wordAt(data, 0), certain };
}

/** Permit2 keeps allowances until a time; those that ended with the block are none. */
function readPermit2({ topics, data, index }: EmittedLog, { file }: Facts): Notice | undefined {
  const [topic, owner, token, spender] = topics;
  const given = topic === events.permit2Approval || topic === events.permit2Permit;
  if (!given || !isAddressWord(owner) || !isAddressWord(token) || !isAddressWord(spender)) return undefined;
  if (data.length < 130) return undefined;
  const now = readQuantity(file.block.timestamp) ?? 0n;
  const parties = { owner: addressOfWord(owner), token: addressOfWord(token), spender: addressOfWord(spender) };
  const [allowed, until] = [wordAt(data, 0), wordAt(data, 1)];
  // uint160 and uint48: a compiler writes no larger word.
  if (allowed >> 160n > 0n || until >> 48n > 0n) return undefined;
  const amount = until > now ? allowed : 0n;
  return { ...parties, key: `permit2${owner}${token}${spender}`, amount, log: index, certain: true };
}

/** Whether the log can stand for a spend: by the call that emitted it, or, without one, by a transfer of the owner's beside it. */
function isMaybeBooks(log: EmittedLog, owner: Address, { steps, byLog, byAsset }: Facts): boolean {
  const { address } = log;
  const emitters = byLog.get(keyOfLog(log)) ?? [];
  if (emitters.length > 0) return emitters.every((step) => spendingCalls.has(entryOf(step, steps, address).selector));
  return byAsset.get(holdingOf(address, null).key)?.some(({ from }) => from === owner) === true;
}

/** The call to the token inside of which a log was emitted: a proxy's code is further in. */
function entryOf(step: CallStep, steps: readonly CallStep[], token: Address): CallStep {
  let entry = step;
  while (entry.to !== token || entry.type === "DELEGATECALL") {
    const outer = steps[entry.parent];
    if (outer === undefined) return step;
    entry = outer;
  }
  return entry;
}

/** What left the owner after the grant. Who took it is not asked: so much of the allowance may be used up. */
function takenSince({ log, owner, token }: Omit<Right, "left">, { byAsset }: Facts): bigint {
  const moves = byAsset.get(holdingOf(token, null).key) ?? [];
  return sumOf(moves.filter((move) => move.log > log && move.from === owner));
}
