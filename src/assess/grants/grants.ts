import { type Address, zeroAddress } from "../../kernel/address.ts";
import { approvalForAllTopic, approvalTopic, transferTopic } from "../../kernel/token-topics.ts";
import { addressOfWord, isAddressWord } from "../../kernel/word.ts";
import type { Log } from "../../model/transaction.ts";
import type { GrantEvent, GrantTable } from "../../ruleset/grant-table.ts";
import type { SubjectAct } from "../subject-act.ts";
import { findGrantCalls, isGrantCall } from "./grant-call.ts";

/** A right that the subject gave in this transaction and that stands at its end, or was taken back within it. */
export interface Grant {
  kind: "erc20" | "managed" | "operator" | "nft";
  /** Who keeps the allowance, where that is not the token itself. */
  manager: GrantEvent | null;
  token: Address;
  grantee: Address;
  /** Final amount; null for rights over NFTs. 0: taken back. */
  amount: bigint | null;
  /** False when the last word of the transaction took it back. */
  stands: boolean;
  /** Unix seconds; null where the right has no end. */
  expiration: bigint | null;
  /** `call`: the owner called for it, or a contract that we trust reports it. `event_only`: the token contract says so. */
  basis: "call" | "event_only";
  /** Receipt positions of the logs. */
  logs: number[];
}

/** The subject's own grants, each with its final value. Logs that only keep the books of a spend grant nothing. */
export function findGrants(act: SubjectAct): Grant[] {
  const { grants: table } = act.ruleset;
  const calls = findGrantCalls(act).filter((call) => call.owner === act.subject);
  const called = new Set(calls.map((call) => call.to));
  const grants = new Map<string, Grant>();
  let places: SpendPlaces | undefined;
  for (const log of act.tx.logs) {
    const word = readManaged(log, table) ?? readApproval(log);
    if (word === undefined || word.owner !== act.subject || word.grantee === zeroAddress) continue;
    const key = `${word.kind}${word.token}${word.grantee}`;
    const known = grants.get(key);
    if (known !== undefined) {
      Object.assign(known, { amount: word.amount, stands: word.stands, expiration: word.expiration });
      known.logs.push(log.index);
      continue;
    }
    places ??= findSpends(act);
    if (word.stands && !keepsBooks(log, act, places, called.has(log.address))) {
      const { owner: _, ...right } = word;
      const basis = word.manager !== null || called.has(log.address) ? "call" : "event_only";
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
  if (topic === approvalTopic && log.topics.length === 4) return { ...base, kind: "nft", amount: null, stands: true };
  if (topic === approvalForAllTopic && log.topics.length === 3 && log.data.length === 66)
    return { ...base, kind: "operator", amount: null, stands: BigInt(log.data) === 1n };
  return undefined;
}

/** Contracts that keep allowances themselves name owner, token and spender in their events. */
function readManaged(log: Log, { events }: GrantTable): Word | undefined {
  const manager = events.get(log.topics[0] ?? "")?.find(({ contracts }) => contracts.has(log.address));
  const args = manager?.event.read(log.topics, log.data);
  if (manager === undefined || args === undefined) return undefined;
  const [amount, until] = [manager.amount, manager.until].map((place) => (place === null ? null : args[place]));
  return {
    kind: "managed",
    manager,
    owner: args[manager.owner] as Address,
    token: args[manager.token] as Address,
    grantee: args[manager.spender] as Address,
    amount: (amount ?? 0n) as bigint,
    stands: typeof amount === "bigint" && amount > 0n,
    expiration: (until ?? null) as bigint | null,
  };
}

/**
 * OpenZeppelin before 4.5, and Aave's tokens, report what is left of an allowance whenever some of it is spent: an Approval
 * beside a Transfer of the owner's tokens in the same frame. Without a call tree: in one run of the token's logs, and nobody
 * called for a grant. What is left is never the whole type, so that amount is a grant.
 */
function keepsBooks(log: Log, { tx, ruleset }: SubjectAct, places: SpendPlaces, granted: boolean): boolean {
  if (log.topics[0] !== approvalTopic || log.topics.length !== 3) return false;
  if (tx.traced && log.call >= 0)
    return !isGrantCall(tx.calls[log.call]?.input ?? "0x", ruleset.grants) && places.frames.has(frameKey(log));
  return !granted && log.data !== wholeType && places.runs.has(places.runOf[log.index] ?? -1);
}

const wholeType = `0x${"f".repeat(64)}`;

/** Where tokens of the subject moved. */
interface SpendPlaces {
  /** Token and frame. */
  frames: ReadonlySet<string>;
  /** Runs of logs that one contract wrote one after the other. */
  runs: ReadonlySet<number>;
  /** The run of each log, by its position. */
  runOf: readonly number[];
}

function findSpends({ tx, subject }: SubjectAct): SpendPlaces {
  const frames = new Set<string>();
  const runs = new Set<number>();
  let run = 0;
  const runOf = tx.logs.map((log, i) => {
    if (i > 0 && tx.logs[i - 1]?.address !== log.address) run++;
    const [topic, owner] = log.topics;
    if (topic === transferTopic && isAddressWord(owner) && owner.endsWith(subject.slice(2))) {
      frames.add(frameKey(log));
      runs.add(run);
    }
    return run;
  });
  return { frames, runs, runOf };
}

function frameKey({ address, call }: Log): string {
  return `${address}${call}`;
}
