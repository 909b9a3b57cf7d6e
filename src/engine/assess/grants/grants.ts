import { type Address, zeroAddress } from "../../../kernel/address.ts";
import { unlimitedThreshold } from "../../../kernel/amount.ts";
import { addTo } from "../../../kernel/lists.ts";
import { approvalForAllTopic, approvalTopic, transferFromSelector } from "../../../kernel/token-standards.ts";
import { addressOfWord, isAddressWord } from "../../../kernel/word.ts";
import { isLabelled } from "../../../model/label.ts";
import type { Log } from "../../../model/transaction.ts";
import { type GrantEvent, type GrantTable, readGrantLog } from "../../../rules/ruleset/grant-table.ts";
import type { SubjectAct } from "../subject-act.ts";
import { findGrantCalls } from "./grant-call.ts";
import { SpendBooks } from "./spend-books.ts";

/** A right of a principal, also where it is revoked again. */
export interface Grant {
  owner: Address;
  kind: "erc20" | "managed" | "operator" | "nft";
  /** Holds the allowance, such as Permit2; null: the token itself. */
  manager: GrantEvent | null;
  token: Address;
  grantee: Address;
  /** Final, in base units; null over NFTs; 0: revoked. */
  amount: bigint | null;
  /** False: revoked or used up by the transaction itself. */
  stands: boolean;
  /** Without a call tree: the log may report the rest of an older allowance. */
  uncertain: boolean;
  /** Unix seconds; null: no end. */
  expiration: bigint | null;
  /** `call`: the owner called for it, or a trusted contract reports it. `event_only`: only the token contract says so. */
  basis: "call" | "event_only";
  /** Receipt positions. */
  logs: number[];
  /** Several rights of one spender over one token, such as the number of an NFT; empty: only one is possible. */
  key?: string;
  /** Of a request: id of the call. */
  call?: number;
}

/** Of principals, with final values, the most important first. Without logs that report the rest of an old allowance. */
export function findGrants(act: SubjectAct): Grant[] {
  const { grants: table } = act.ruleset;
  let called: ReadonlySet<string> | undefined;
  const grants = new Map<string, Grant>();
  let books: SpendBooks | undefined;
  for (const log of act.tx.logs) {
    const word = readManaged(log, table) ?? readApproval(log);
    if (word === undefined || word.grantee === zeroAddress) continue;
    if (!act.principals.has(word.owner)) continue;
    const key = `${word.owner}${word.kind}${word.token}${word.grantee}${log.address}${word.key ?? ""}`;
    const known = grants.get(key);
    if (known !== undefined) {
      Object.assign(known, { amount: word.amount, stands: word.stands, expiration: word.expiration });
      known.logs.push(log.index);
      continue;
    }
    if (!word.stands) continue;
    called ??= new Set(findGrantCalls(act).map(({ to, owner }) => `${to}${owner}`));
    const isCalled = called.has(`${log.address}${word.owner}`);
    books ??= new SpendBooks(act);
    const kept = books.isKeptBy(log, word.owner, isCalled);
    if (kept === "books") continue;
    const basis = word.manager !== null || isCalled ? "call" : "event_only";
    if (basis === "event_only" && !isBelieved(word, act)) continue;
    grants.set(key, { ...word, uncertain: kept === "unknown", basis, logs: [log.index] });
  }
  if (grants.size === 0) return [];
  const spends = findSpends(act);
  const telling = [...grants.values()].filter((grant) => isTelling(grant, act));
  return inOrder(
    telling.map((grant) => withoutUsed(grant, spends, act)),
    act,
  );
}

/** Without a call of the owner: anybody can write a token that claims rights, so an unlisted one counts for the subject only. */
function isBelieved({ owner, token }: Word, { subject, labels }: SubjectAct): boolean {
  return owner === subject || isLabelled(labels, token);
}

interface Word extends Omit<Grant, "basis" | "logs" | "uncertain"> {}

/** Listed tokens first, then what owners called for or sent, then claims of unknown tokens. */
function inOrder(grants: Grant[], { tx, labels, subject }: SubjectAct): Grant[] {
  if (grants.length < 2) return grants;
  const sent = new Set(tx.movements.map(({ token, from }) => `${token}${from}`));
  const placeOf = ({ token, owner, basis, stands, uncertain }: Grant): number => {
    const trusted = isLabelled(labels, token);
    const meant = basis === "call" || sent.has(`${token}${owner}`);
    return (stands && !uncertain ? 0 : 8) + (trusted ? 0 : meant ? 2 : 4) + (owner === subject ? 0 : 1);
  };
  return grants
    .map((grant) => ({ grant, place: placeOf(grant) }))
    .sort((a, b) => a.place - b.place)
    .map(({ grant }) => grant);
}

/** False for an uncertain one whose spender is known or was called by the owner: it is probably the rest of an older allowance. */
function isTelling({ uncertain, amount, grantee, owner }: Grant, { calls, labels }: SubjectAct): boolean {
  if (!uncertain || (amount !== null && amount >= unlimitedThreshold)) return true;
  return labels.name(grantee) === undefined && !calls.some(({ actor, to }) => actor === owner && to === grantee);
}

/** The allowance minus what the spender moved later, by the call tree. */
function withoutUsed(grant: Grant, spends: ReadonlyMap<string, readonly Spend[]>, { tx }: SubjectAct): Grant {
  const { amount, kind, owner, token, grantee } = grant;
  if (kind !== "erc20" || amount === null || amount >= unlimitedThreshold) return grant;
  const taken = spends.get(`${token}${grantee}${owner}`);
  if (taken === undefined) return grant;
  if (!tx.traced) {
    const isUsed = taken.some(({ call, amount: spent }) => call > (grant.logs.at(-1) ?? -1) && spent === amount);
    return isUsed ? { ...grant, amount: 0n, stands: false } : grant;
  }
  const given = tx.logs[grant.logs.at(-1) as number]?.call ?? -1;
  let left = amount;
  for (const spend of taken) if (spend.call > given) left -= spend.amount;
  return left > 0n ? { ...grant, amount: left } : { ...grant, amount: 0n, stands: false };
}

/** By `transferFrom(address,address,uint256)`. */
interface Spend {
  /** Without a call tree: position of its log. */
  call: number;
  amount: bigint;
}

/**
 * By token, spender and owner. Without a call tree only what came to a known spender itself counts: to anybody else the owner may have sent
 * it.
 */
function findSpends({ tx, labels }: SubjectAct): Map<string, Spend[]> {
  const spends = new Map<string, Spend[]>();
  if (!tx.traced) {
    for (const { token, from, to, amount, log, standard } of tx.movements)
      if (standard === "erc20" && labels.name(to) !== undefined)
        addTo(spends, `${token}${to}${from}`, { call: log, amount });
    return spends;
  }
  for (const { index, ok, from, to, kind, input } of tx.calls) {
    if (!ok || kind !== "call" || !input.startsWith(transferFromSelector) || input.length < 202) continue;
    const key = `${to}${from}0x${input.slice(34, 74)}`;
    addTo(spends, key, { call: index, amount: BigInt(`0x${input.slice(138, 202)}`) });
  }
  return spends;
}

/** `Approval` or `ApprovalForAll`. EIP-721's Approval has the signature of EIP-20's but four topics. */
export function readApproval(log: Log): Word | undefined {
  const [topic, owner, grantee] = log.topics;
  if (topic !== approvalTopic && topic !== approvalForAllTopic) return undefined;
  if (!isAddressWord(owner) || !isAddressWord(grantee)) return undefined;
  const base = {
    token: log.address,
    owner: addressOfWord(owner),
    grantee: addressOfWord(grantee),
    manager: null,
    expiration: null,
  };
  if (topic === approvalTopic && log.topics.length === 3 && log.data.length === 66) {
    const amount = BigInt(log.data);
    return { ...base, kind: "erc20", amount, stands: amount > 0n };
  }
  if (topic === approvalTopic && log.topics.length === 4)
    return { ...base, kind: "nft", amount: null, stands: true, key: `${BigInt(log.topics[3] ?? 0)}` };
  if (topic === approvalForAllTopic && log.topics.length === 3 && log.data.length === 66)
    return { ...base, kind: "operator", amount: null, stands: BigInt(log.data) === 1n };
  return undefined;
}

/** Of a contract that holds allowances, such as Permit2. */
export function readManaged(log: Log, { events }: GrantTable): Word | undefined {
  const manager = events.get(log.topics[0] ?? "")?.find(({ contracts }) => contracts.has(log.address));
  const right = manager && readGrantLog(manager, log);
  if (manager === undefined || right === undefined) return undefined;
  const { spender, until, ...rest } = right;
  const amount = right.amount ?? 0n;
  return { ...rest, kind: "managed", manager, grantee: spender, amount, stands: amount > 0n, expiration: until };
}
