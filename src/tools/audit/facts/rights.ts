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

/** Over tokens of a principal, after the transaction. */
export interface Right {
  owner: Address;
  spender: Address;
  token: Address;
  /** What may still be spent; 1 for NFTs. */
  left: bigint;
  /** Position of the granting log. */
  log: number;
  /** False: perhaps only bookkeeping after a spend, and no call tree shows which. */
  certain: boolean;
}

interface Notice extends Omit<Right, "left"> {
  key: string;
  amount: bigint;
}

/** The last log about each right, minus what left the owner after it. Bookkeeping by the call tree grants nothing. */
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

/** A Permit2 allowance; one that has ended by the block's time is 0. */
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

/** Perhaps only a spend: by the emitting call, or without a call tree by a transfer of the owner's tokens. */
function mayReportSpend(log: EmittedLog, owner: Address, { steps, byLog, byAsset }: Facts): boolean {
  const { address } = log;
  const emitters = byLog.get(keyOfLog(log)) ?? [];
  if (emitters.length > 0) return emitters.every((step) => spendingCalls.has(entryOf(step, steps, address).selector));
  return byAsset.get(holdingOf(address, null).key)?.some(({ from }) => from === owner) === true;
}

/** The call to the token that emitted the log; behind a proxy the log belongs to an inner call. */
function entryOf(step: CallStep, steps: readonly CallStep[], token: Address): CallStep {
  let entry = step;
  while (entry.to !== token || entry.type === "DELEGATECALL") {
    const outer = steps[entry.parent];
    if (outer === undefined) return step;
    entry = outer;
  }
  return entry;
}

/** What left the owner after the grant, by anybody: so much may be used up. */
function takenSince({ log, owner, token }: Omit<Right, "left">, { byAsset }: Facts): bigint {
  const moves = byAsset.get(holdingOf(token, null).key) ?? [];
  return sumOf(moves.filter((move) => move.log > log && move.from === owner));
}
