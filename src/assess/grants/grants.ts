import { type Address, zeroAddress } from "../../kernel/address.ts";
import type { Hex } from "../../kernel/hex.ts";
import {
  approvalForAllTopic,
  approvalTopic,
  permit2ApprovalTopic,
  permit2LockdownTopic,
  permit2PermitTopic,
  transferTopic,
} from "../../kernel/token-topics.ts";
import { addressOfWord, isAddressWord } from "../../kernel/word.ts";
import type { Log } from "../../model/transaction.ts";
import type { SubjectAct } from "../subject-act.ts";
import { findGrantCalls, isGrantSelector } from "./grant-call.ts";

/** A right that the subject gave in this transaction and that stands at its end, or was taken back within it. */
export interface Grant {
  kind: "erc20" | "permit2" | "operator" | "nft";
  token: Address;
  grantee: Address;
  /** Final amount; null for rights over NFTs. 0: taken back. */
  amount: bigint | null;
  /** False when the last word of the transaction took it back. */
  stands: boolean;
  /** Unix seconds of Permit2; null where the right has no end. */
  expiration: bigint | null;
  /** `call`: the owner called for it, or a contract that we trust reports it. `event_only`: the token contract says so. */
  basis: "call" | "event_only";
  /** Receipt positions of the logs. */
  logs: number[];
}

/** The subject's own grants, each with its final value. Logs that only keep the books of a spend grant nothing. */
export function findGrants(act: SubjectAct): Grant[] {
  const permit2 = new Set<Address>(act.labels.system("permit2"));
  const calls = findGrantCalls(act).filter((call) => call.owner === act.subject);
  const called = new Set(calls.map((call) => call.to));
  const grants = new Map<string, Grant>();
  for (const log of act.tx.logs) {
    const word = permit2.has(log.address) ? readPermit2(log) : readApproval(log);
    if (word === undefined || word.owner !== act.subject || word.grantee === zeroAddress) continue;
    const key = `${word.kind}${word.token}${word.grantee}`;
    const known = grants.get(key);
    if (known !== undefined) {
      Object.assign(known, { amount: word.amount, stands: word.stands, expiration: word.expiration });
      known.logs.push(log.index);
    } else if (word.stands && !keepsBooks(log, act, called.has(log.address))) {
      const { owner: _, ...right } = word;
      const basis = word.kind === "permit2" || called.has(log.address) ? "call" : "event_only";
      grants.set(key, { ...right, basis, logs: [log.index] });
    }
  }
  return [...grants.values()];
}

interface Word extends Omit<Grant, "basis" | "logs"> {
  owner: Address;
}

/** EIP-20 has three topics; EIP-721 shares the signature and indexes the token id too. */
function readApproval(log: Log): Word | undefined {
  const [topic, owner, grantee] = log.topics;
  if (topic !== approvalTopic && topic !== approvalForAllTopic) return undefined;
  if (!isAddressWord(owner) || !isAddressWord(grantee)) return undefined;
  const base = { token: log.address, owner: addressOfWord(owner), grantee: addressOfWord(grantee), expiration: null };
  if (topic === approvalTopic && log.topics.length === 3 && log.data.length === 66) {
    const amount = BigInt(log.data);
    return { ...base, kind: "erc20", amount, stands: amount > 0n };
  }
  if (topic === approvalTopic && log.topics.length === 4) return { ...base, kind: "nft", amount: null, stands: true };
  if (topic === approvalForAllTopic && log.topics.length === 3 && log.data.length === 66)
    return { ...base, kind: "operator", amount: null, stands: BigInt(log.data) === 1n };
  return undefined;
}

/** Permit2: Approval and Permit index owner, token and spender; Lockdown takes a right back and indexes the owner only. */
function readPermit2(log: Log): Word | undefined {
  const [topic, owner, token, spender] = log.topics;
  if (!isAddressWord(owner)) return undefined;
  if (topic === permit2LockdownTopic && log.data.length >= 130) {
    const [first, second] = [wordAt(log.data, 0), wordAt(log.data, 1)];
    if (!isAddressWord(first) || !isAddressWord(second)) return undefined;
    const base = {
      kind: "permit2" as const,
      owner: addressOfWord(owner),
      token: addressOfWord(first),
      grantee: addressOfWord(second),
    };
    return { ...base, amount: 0n, stands: false, expiration: null };
  }
  const grants = (topic === permit2ApprovalTopic || topic === permit2PermitTopic) && log.data.length >= 130;
  if (!grants || !isAddressWord(token) || !isAddressWord(spender)) return undefined;
  const amount = BigInt(wordAt(log.data, 0));
  const base = {
    kind: "permit2" as const,
    owner: addressOfWord(owner),
    token: addressOfWord(token),
    grantee: addressOfWord(spender),
  };
  return { ...base, amount, stands: amount > 0n, expiration: BigInt(wordAt(log.data, 1)) };
}

/**
 * OpenZeppelin before 4.5, and Aave's tokens, report what is left of an allowance whenever some of it is spent: an Approval
 * beside a Transfer of the owner's tokens in the same frame. Without a call tree: in one run of the token's logs, and nobody
 * called for a grant. What is left is never the whole type, so that amount is a grant.
 */
function keepsBooks(log: Log, { tx, subject }: SubjectAct, granted: boolean): boolean {
  if (log.topics[0] !== approvalTopic || log.topics.length !== 3) return false;
  const spends = (other: Log) =>
    other.topics[0] === transferTopic &&
    other.address === log.address &&
    isAddressWord(other.topics[1]) &&
    addressOfWord(other.topics[1]) === subject;
  if (tx.traced && log.call >= 0) {
    if (isGrantSelector(tx.calls[log.call]?.input ?? "0x")) return false;
    return tx.logs.some((other) => other.call === log.call && spends(other));
  }
  return !granted && log.data !== wholeType && runAround(log, tx.logs).some(spends);
}

const wholeType = `0x${"f".repeat(64)}`;

/** Logs of the same contract before and after, up to the first of another one. */
function runAround(log: Log, logs: readonly Log[]): Log[] {
  let [first, last] = [log.index, log.index];
  while (logs[first - 1]?.address === log.address) first--;
  while (logs[last + 1]?.address === log.address) last++;
  return logs.slice(first, last + 1);
}

function wordAt(data: string, index: number): Hex {
  return `0x${data.slice(2 + index * 64, 66 + index * 64)}`;
}
