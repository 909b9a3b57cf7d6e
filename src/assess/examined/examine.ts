import { type Address, readAddress } from "../../kernel/address.ts";
import type { Hex } from "../../kernel/hex.ts";
import { sorted } from "../../kernel/lists.ts";
import { isLabelled } from "../../model/label.ts";
import { findAskedGrants } from "../grants/asked-grants.ts";
import { type Delegation, findDelegations } from "../grants/delegations.ts";
import { findGrants, type Grant } from "../grants/grants.ts";
import type { SignedGrant, SignedPowers, SubjectAct } from "../subject-act.ts";
import { calledContracts, delegatedCode } from "./called-code.ts";
import { type Entry, ranks } from "./entry.ts";
import { isExempt } from "./exempt.ts";
import { followMoney } from "./money-holders.ts";
import { entriesOfPayees } from "./payees.ts";
import type { Role } from "./role.ts";
import { countUnseenEther } from "./unseen-ether.ts";

/** An address that the flags and checks look at. */
export interface Examined {
  address: Address;
  /** The most telling first. */
  roles: [Role, ...Role[]];
  /** Selector of the call there; null when it was not called. */
  selector: Hex | null;
  /** The principal that deals with it; the subject if it does. */
  account: Address;
  /** False where it is only named by an act, or only passed by money. */
  dealt: boolean;
}

/** Who is examined, the most telling first, and the grants that this rests on. */
export interface Examination {
  addresses: Examined[];
  /** Those whose code is worth a lookup, in the same order. */
  withCode: Examined[];
  grants: Grant[];
  /** How many assets of principals were not followed to the end. */
  untraced: number;
  /** Contracts that may have passed on ether of principals unseen. */
  unseen: number;
}

/**
 * Examined addresses in order: whoever got power over a principal (spenders, operators, delegates, code that its account runs, new
 * controllers), whoever has its money in the end, called contracts, tokens. What only an unlisted token contract says comes after
 * what was called: junk cannot push out what counts.
 */
export function examine(act: SubjectAct): Examination {
  const grants = act.tx.mode === "requested" ? findAskedGrants(act) : findGrants(act);
  if (act.signed !== null) grants.unshift(...act.signed.grants.map(asGrant));
  const money = followMoney(act);
  const delegated = delegatedCode(act);
  // Built with `push`: an array made by `map`, `filter` or spreading may change its hidden class, and then code that reads it is compiled
  // again.
  const entries: Entry[] = [];
  for (const grant of grants) if (grant.stands) entries.push(entryOfGrant(grant, act));
  for (const delegation of findDelegations(act)) entries.push(entryOfDelegation(delegation, act));
  for (const entry of delegated) entries.push(entry);
  for (const address of act.controllers)
    entries.push({ address, role: "controller", rank: ranks.power, account: act.subject });
  if (act.signed !== null) entries.push(...entriesOfSigned(act.signed, act));
  for (const entry of entriesOfPayees(act)) entries.push(entry);
  for (const entry of money.entries) entries.push(entry);
  for (const entry of calledContracts(act)) entries.push(entry);
  for (const entry of tokens(act, grants)) entries.push(entry);
  if (act.tx.from !== act.subject)
    entries.push({ address: act.tx.from, role: "sender", rank: ranks.listsOnly, account: act.subject });
  if (act.named.length > 0) entries.push(...entriesOfNamed(act));
  const addresses = merge(entries, act);
  return {
    addresses,
    withCode: codedOf(addresses, entries),
    grants,
    untraced: money.untraced,
    unseen: countUnseenEther(money.reached, delegated, act),
  };
}

/** Those whose code is worth a lookup. */
function codedOf(addresses: readonly Examined[], entries: readonly Entry[]): Examined[] {
  const coded = new Set<Address>();
  for (const { rank, address } of entries) if (rank <= ranks.lastWithCode) coded.add(address);
  const withCode: Examined[] = [];
  for (const one of addresses) if (coded.has(one.address)) withCode.push(one);
  return withCode;
}

function entryOfGrant(grant: Grant, { labels }: SubjectAct): Entry {
  const believed = !grant.uncertain && (grant.basis === "call" || labels.token(grant.token) !== undefined);
  return {
    address: grant.grantee,
    role: grant.kind === "operator" ? "operator" : "spender",
    rank: believed ? ranks.power : ranks.junk,
    account: grant.owner,
  };
}

/** Code that any account here delegates to is examined; that of the subject and the sender first. */
function entryOfDelegation({ delegate, authority }: Delegation, { tx, subject }: SubjectAct): Entry {
  const own = authority === subject || authority === tx.from;
  return {
    address: delegate,
    role: "delegate",
    rank: own ? ranks.power : ranks.others,
    account: authority ?? subject,
  };
}

/** What a signature gives stands as soon as it is handed in. */
function asGrant(grant: SignedGrant): Grant {
  return { ...grant, stands: true, uncertain: false, basis: "call", logs: [] };
}

/** Whoever gets power or money by a signature, and the contract that checks it, unless that is one that we know. */
function entriesOfSigned({ recipients, powers, verifier }: SignedPowers, { labels, subject }: SubjectAct): Entry[] {
  const entry = (role: Role, rank: number) => (address: Address) => ({ address, role, rank, account: subject });
  const checks = verifier === null ? [] : [verifier];
  return [
    ...powers.map(entry("delegate", ranks.power)),
    ...recipients.map(entry("recipient", ranks.money)),
    ...checks.map((one) => entry("verifier", isLabelled(labels, one) ? ranks.listsOnly : ranks.called)(one)),
  ];
}

/** Whom the act names. Whom an authorization names is a delegate or nothing. */
function entriesOfNamed(act: SubjectAct): Entry[] {
  const listed = new Set(act.file.transaction.authorizationList?.map(({ address }) => readAddress(address)));
  return act.named.filter((address) => !listed.has(address)).map((address) => entryOfNamed(address, act));
}

/** Contracts that we know need no look at their code where they are only named. */
function entryOfNamed(address: Address, { labels, subject, signed }: SubjectAct): Entry {
  const role = signed === null ? "recipient" : "named";
  return { address, role, rank: isLabelled(labels, address) ? ranks.listsOnly : ranks.named, account: subject };
}

function tokens({ tx, labels, subject }: SubjectAct, grants: readonly Grant[]): Entry[] {
  const entries: Entry[] = [];
  const add = (token: Address | null): void => {
    if (token !== null && labels.token(token) === undefined)
      entries.push({ address: token, role: "token", rank: ranks.token, account: subject });
  };
  for (const { token } of grants) add(token);
  for (const { token } of tx.movements) add(token);
  return entries;
}

function merge(entries: readonly Entry[], { subject }: SubjectAct): Examined[] {
  const found = new Map<Address, Examined & { rank: number }>();
  // A contract that is the subject but was called by somebody else may only claim to be an account.
  const isOwn = ({ address, role, account }: Entry) =>
    address === account || (address === subject && (role !== "called" || account === subject));
  for (const entry of entries) {
    const { address, role, rank, selector, account } = entry;
    const dealt = rank !== ranks.named && rank !== ranks.listsOnly;
    const known = found.get(address);
    if (known === undefined) {
      if (!isOwn(entry) && !isExempt(address))
        found.set(address, { address, roles: [role], selector: selector ?? null, account, dealt, rank });
    } else {
      known.selector ??= selector ?? null;
      known.dealt ||= dealt;
      if (account === subject) known.account = account;
      if (!known.roles.includes(role)) rank < known.rank ? known.roles.unshift(role) : known.roles.push(role);
      known.rank = Math.min(known.rank, rank);
    }
  }
  const examined: Examined[] = [];
  const inOrder = sorted([...found.values()], (a, b) => a.rank - b.rank);
  for (const { address, roles, selector, account, dealt } of inOrder)
    examined.push({ address, roles, selector, account, dealt });
  return examined;
}
