import { type Address, readAddress, zeroAddress } from "../../../kernel/address.ts";
import type { Hex } from "../../../kernel/hex.ts";
import { heaviestFirst, sorted } from "../../../kernel/lists.ts";
import { isLabelled } from "../../../model/label.ts";
import { weigherOf } from "../../money/weight.ts";
import { findAskedGrants } from "../grants/asked-grants.ts";
import { findGrants, type Grant } from "../grants/grants.ts";
import type { SignedGrant, SignedPowers, SubjectAct } from "../subject-act.ts";
import { calledContracts, delegatedCode } from "./called-code.ts";
import { type Entry, ranks } from "./entry.ts";
import { isExempt } from "./exempt.ts";
import { findMentioned } from "./mentioned.ts";
import { followMoney } from "./money-holders.ts";
import type { Role } from "./role.ts";

/** An address that the flags and checks look at. */
export interface Examined {
  address: Address;
  /** The most important role first. */
  roles: [Role, ...Role[]];
  /** The selector of the call to it; null when it was not called. */
  selector: Hex | null;
  /** The principal that deals with it; the subject where it is among those that do. */
  account: Address;
  /** False where it is only named by an act, or money only passed through it. */
  dealt: boolean;
}

/** The examined addresses, the most important first, and the grants on which the order rests. */
export interface Examination {
  addresses: Examined[];
  /** The addresses whose code is looked up, in the same order. */
  withCode: Examined[];
  /** The accounts that acted or are only mentioned, and are not examined otherwise. They are looked up in the drainer lists alone. */
  actors: Examined[];
  grants: Grant[];
  /** The number of principals' assets that were not followed to the end. */
  unfollowed: number;
  /** How many further addresses calls and events certainly name. */
  unmentioned: number;
  /** The number of contracts that may have passed on principals' ether unseen. */
  unseen: number;
}

/**
 * Chooses the addresses to examine, in this order: those who got power over a principal (spenders, operators, delegates, code that its
 * account runs, new controllers), those who have its money in the end, called contracts, tokens. Claims of unlisted token contracts come
 * after called contracts, so that worthless tokens cannot push out what matters.
 */
export function examine(act: SubjectAct): Examination {
  const grants = act.tx.mode === "requested" ? findAskedGrants(act) : findGrants(act);
  if (act.signed !== null) grants.unshift(...act.signed.grants.map(asGrant));
  const money = followMoney(act);
  const delegated = delegatedCode(act);
  const { subject: account } = act;
  const { from: sender } = act.tx;
  const entries: Entry[] = [
    ...grants.filter(({ stands }) => stands).map((grant) => entryOfGrant(grant, act)),
    ...findDelegations(act).map((delegation) => entryOfDelegation(delegation, act)),
    ...delegated,
    ...act.controllers.map((address): Entry => ({ address, role: "controller", rank: ranks.power, account })),
    ...(act.signed === null ? [] : entriesOfSigned(act.signed, act)),
    ...entriesOfPayees(act),
    ...money.entries,
    ...calledContracts(act),
    ...tokens(act, grants),
    ...(sender === account ? [] : [{ address: sender, role: "sender", rank: ranks.listsOnly, account } as const]),
    ...(act.named.length === 0 ? [] : entriesOfNamed(act)),
  ];
  const addresses = merge(entries, act);
  const actors = actorsOf(addresses, act);
  const known = new Set([...addresses, ...actors].map(({ address }) => address));
  const mentioned = findMentioned(act, money.reached, (one) => known.has(one) || isExempt(one, act));
  for (const address of mentioned.addresses)
    actors.push({ address, roles: ["mentioned"], selector: null, account: act.subject, dealt: false });
  return {
    addresses,
    withCode: codedOf(addresses, entries, act),
    actors,
    grants,
    unfollowed: money.unfollowed,
    unmentioned: mentioned.cut ? 1 : 0,
    unseen: countUnseenEther(money.reached, delegated, act),
  };
}

/**
 * Who sent the transaction, and whose authority it used. No account is examined for what it does itself, but a drainer that takes others'
 * money by an allowance is the sender.
 */
function actorsOf(examined: readonly Examined[], act: SubjectAct): Examined[] {
  const { tx, principals, signed } = act;
  const others = new Set(examined.map(({ address }) => address));
  const actors: Examined[] = [];
  for (const address of new Set([tx.from, ...principals])) {
    if (isExempt(address, act) || others.has(address)) continue;
    const role = address === tx.from && signed === null ? "sender" : "account";
    actors.push({ address, roles: [role], selector: null, account: address, dealt: false });
  }
  return actors;
}

/** The examined addresses whose code is looked up. Nodes run precompiles without any: those are looked up in the drainer lists alone. */
function codedOf(addresses: readonly Examined[], entries: readonly Entry[], { isPrecompile }: SubjectAct): Examined[] {
  const coded = new Set<Address>();
  for (const { rank, address } of entries) if (rank <= ranks.lastWithCode) coded.add(address);
  const withCode: Examined[] = [];
  for (const one of addresses) if (coded.has(one.address) && !isPrecompile(one.address)) withCode.push(one);
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

/** Every delegate of this transaction is examined; those of the subject and of the sender first. */
function entryOfDelegation({ delegate, authority }: Delegation, { tx, subject }: SubjectAct): Entry {
  const own = authority === subject || authority === tx.from;
  return {
    address: delegate,
    role: "delegate",
    rank: own ? ranks.power : ranks.others,
    account: authority ?? subject,
  };
}

/** A signed right as a grant: it is valid as soon as the signature is handed in. */
function asGrant(grant: SignedGrant): Grant {
  return { ...grant, stands: true, uncertain: false, basis: "call", logs: [] };
}

/** Those who get power or money by a signature, and the verifying contract. The code of a known verifying contract is not looked up. */
function entriesOfSigned({ recipients, powers, verifier }: SignedPowers, { labels, subject }: SubjectAct): Entry[] {
  const entry = (role: Role, rank: number) => (address: Address) => ({ address, role, rank, account: subject });
  const checks = verifier === null ? [] : [verifier];
  return [
    ...powers.map(entry("delegate", ranks.power)),
    ...recipients.map(entry("recipient", ranks.money)),
    ...checks.map((one) => entry("verifier", isLabelled(labels, one) ? ranks.listsOnly : ranks.called)(one)),
  ];
}

/**
 * Addresses that the acts name. Addresses of the authorization list are left out: they are delegates, which are examined as such, or had no
 * effect.
 */
function entriesOfNamed(act: SubjectAct): Entry[] {
  const listed = new Set(act.file.transaction.authorizationList?.map(({ address }) => readAddress(address)));
  return act.named.filter((address) => !listed.has(address)).map((address) => entryOfNamed(address, act));
}

/** An address that is only named. The code of a labelled one is not looked up. */
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

function merge(entries: readonly Entry[], act: SubjectAct): Examined[] {
  const { subject } = act;
  const found = new Map<Address, Examined & { rank: number }>();
  // No account is examined for what it does itself, and the subject not at all. Exception: another account called the subject. Then it may
  // only pretend to be an account.
  const isOwn = ({ address, role, account }: Entry) =>
    address === account || (address === subject && (role !== "called" || account === subject));
  for (const entry of entries) {
    const { address, role, rank, selector, account } = entry;
    const dealt = rank !== ranks.named && rank !== ranks.listsOnly;
    const known = found.get(address);
    if (known === undefined) {
      if (!isOwn(entry) && !isExempt(address, act))
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

/** Paid in an account's place, the largest amount first; claims of unlisted tokens late. */
function entriesOfPayees({ payees, file, labels }: SubjectAct): Entry[] {
  if (payees.length === 0) return [];
  const weigh = weigherOf(file, labels);
  const entries = payees.map(({ account, payee, assets }) => {
    const weight = assets.map(weigh).reduce((most, one) => (one > most ? one : most), 0n);
    const isKnown = assets.some(({ token }) => token !== null && labels.name(token) !== undefined);
    const rank = weight > 0n || isKnown ? ranks.money : ranks.junk;
    return { entry: { address: payee, role: "recipient" as const, rank, account }, weight };
  });
  return heaviestFirst(entries, ({ weight }) => weight).map(({ entry }) => entry);
}

/**
 * How many addresses may have passed on principals' ether unseen: strangers that got some and may have code, and strangers' code run as a
 * principal's account. 0 where a call tree or an explorer's list shows all ether.
 *
 * @param reached got money of principals
 * @param delegated code run as a principal's account
 */
export function countUnseenEther(reached: ReadonlySet<Address>, delegated: readonly Entry[], act: SubjectAct): number {
  const { tx, file, labels, principals, isProven } = act;
  if (tx.nativeComplete || tx.status === "reverted") return 0;
  const isStranger = (address: Address): boolean =>
    !isExempt(address, act) && !isLabelled(labels, address) && !isProven(address);
  const found = new Set<Address>();
  for (const { token, to, amount, fee } of tx.movements) {
    if (token !== null || fee || amount === 0n || !reached.has(to) || principals.has(to)) continue;
    if (isStranger(to) && file.risk?.verification[to]?.code !== "none") found.add(to);
  }
  const own = tx.authorizations.filter(({ authority }) => authority === null || principals.has(authority));
  for (const { delegate } of own) if (delegate !== zeroAddress && isStranger(delegate)) found.add(delegate);
  for (const { address } of delegated) if (isStranger(address)) found.add(address);
  return found.size;
}

/** EIP-7702. */
interface Delegation {
  delegate: Address;
  /** null: no signature was recorded. */
  authority: Address | null;
}

/** Clearing a delegation is none. */
export function findDelegations({ tx }: Pick<SubjectAct, "tx">): Delegation[] {
  return tx.authorizations.filter(({ delegate }) => delegate !== zeroAddress);
}
