import type { Address } from "../../../kernel/address.ts";
import { readQuantity } from "../../../kernel/hex.ts";
import { addressOfWord, isAddressWord } from "../../../kernel/word.ts";
import type { Knowledge } from "../knowledge.ts";
import type { CallStep, EmittedLog, Facts } from "./facts.ts";
import { sumOf } from "./losses.ts";
import { holdingOf, wordAt } from "./moves.ts";
import type { Authority } from "./principals.ts";
import { keyOfLog } from "./read-facts.ts";
import { events, spendingCalls } from "./signatures.ts";

/** A right over tokens of a principal that exists after the transaction. */
export interface Right {
  owner: Address;
  spender: Address;
  token: Address;
  /** The amount that may still be taken; 1 for NFTs. */
  left: bigint;
  /** The position of the log that granted it. */
  log: number;
  /** False where the log may only be the token's bookkeeping after a spend, and no call tree shows which it is. */
  certain: boolean;
}

/** A log that says who may take how much. */
interface Notice extends Omit<Right, "left"> {
  key: string;
  amount: bigint;
}

/**
 * Rights that principals granted: the last log about each right counts, minus what left the owner after it. A log that the call tree shows
 * to be bookkeeping grants nothing.
 */
export function findRights(facts: Facts, principals: ReadonlyMap<Address, Authority>, knowledge: Knowledge): Right[] {
  const last = new Map<string, Notice>();
  for (const log of facts.logs) {
    const notice = readNotice(log, facts, knowledge);
    if (notice === undefined || !principals.has(notice.owner) || notice.spender === notice.owner) continue;
    const before = last.get(notice.key);
    // Bookkeeping grants nothing. After a real grant, it says how much is left.
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
  const certain = !mayReportSpend(log, owner, facts);
  return { ...base, key: `${address}${owner}${spender}`, amount: wordAt(data, 0), certain };
}

/** A Permit2 allowance, which ends at a time. One that has ended by the time of the block counts as 0. */
function readPermit2({ topics, data, index }: EmittedLog, { file }: Facts): Notice | undefined {
  const [topic, owner, token, spender] = topics;
  const given = topic === events.permit2Approval || topic === events.permit2Permit;
  if (!given || !isAddressWord(owner) || !isAddressWord(token) || !isAddressWord(spender)) return undefined;
  if (data.length < 130) return undefined;
  const now = readQuantity(file.block.timestamp) ?? 0n;
  const parties = { owner: addressOfWord(owner), token: addressOfWord(token), spender: addressOfWord(spender) };
  const [allowed, until] = [wordAt(data, 0), wordAt(data, 1)];
  // The types are uint160 and uint48. A compiled contract writes no larger value, so a larger one is not Permit2's.
  if (allowed >> 160n > 0n || until >> 48n > 0n) return undefined;
  const amount = until > now ? allowed : 0n;
  return { ...parties, key: `permit2${owner}${token}${spender}`, amount, log: index, certain: true };
}

/**
 * Whether an Approval log may only report a spend. The call that emitted it shows this; without a call tree, a transfer of the owner's
 * tokens in the same transaction does.
 */
function mayReportSpend(log: EmittedLog, owner: Address, { steps, byLog, byAsset }: Facts): boolean {
  const { address } = log;
  const emitters = byLog.get(keyOfLog(log)) ?? [];
  if (emitters.length > 0) return emitters.every((step) => spendingCalls.has(entryOf(step, steps, address).selector));
  return byAsset.get(holdingOf(address, null).key)?.some(({ from }) => from === owner) === true;
}

/** The call to the token in which a log was emitted. For a proxy, the log itself belongs to an inner call. */
function entryOf(step: CallStep, steps: readonly CallStep[], token: Address): CallStep {
  let entry = step;
  while (entry.to !== token || entry.type === "DELEGATECALL") {
    const outer = steps[entry.parent];
    if (outer === undefined) return step;
    entry = outer;
  }
  return entry;
}

/** How much left the owner after the grant, no matter who took it: that much of the allowance may be used up. */
function takenSince({ log, owner, token }: Omit<Right, "left">, { byAsset }: Facts): bigint {
  const moves = byAsset.get(holdingOf(token, null).key) ?? [];
  return sumOf(moves.filter((move) => move.log > log && move.from === owner));
}
