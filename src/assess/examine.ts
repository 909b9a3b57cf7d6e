import { type Address, deadAddress, zeroAddress } from "../kernel/address.ts";
import { chain } from "../kernel/chain-profile.ts";
import { type Hex, selectorOf } from "../kernel/hex.ts";
import type { Movement } from "../model/transaction.ts";
import { type Delegation, findDelegations } from "./grants/delegations.ts";
import { isGrantCall } from "./grants/grant-call.ts";
import { findGrants, type Grant } from "./grants/grants.ts";
import type { Role } from "./role.ts";
import type { SubjectAct } from "./subject-act.ts";

/** An address that the flags and checks look at. */
export interface Examined {
  address: Address;
  /** The most telling first. */
  roles: [Role, ...Role[]];
  /** Selector of the subject's call there; null when it was not called. */
  selector: Hex | null;
}

/** Who is examined, the most telling first, and the grants that this rests on. */
export interface Examination {
  addresses: Examined[];
  /** Those whose code is worth a lookup, in the same order. */
  withCode: Examined[];
  grants: Grant[];
}

/**
 * Examined addresses in order: spenders, operators and delegates, then new controllers, recipients, called contracts, tokens. What only an
 * unlisted token contract says about the subject comes after what the subject called: junk cannot push out what counts.
 */
export function examine(act: SubjectAct): Examination {
  const grants = findGrants(act);
  const entries: Entry[] = [
    ...grants.filter((grant) => grant.stands).map((grant) => entryOfGrant(grant, act)),
    ...findDelegations(act).map((delegation) => entryOfDelegation(delegation, act)),
    ...act.controllers.map((address): Entry => ({ address, role: "controller", rank: 1 })),
    ...recipients(act),
    ...calledContracts(act),
    ...tokens(act, grants).map((address): Entry => ({ address, role: "token", rank: 4 })),
  ];
  if (act.tx.from !== act.subject) entries.push({ address: act.tx.from, role: "sender", rank: 5 });
  for (const address of act.named) entries.push({ address, role: "recipient", rank: 6 });
  const addresses = merge(entries, act.subject);
  const withCode = merge(
    entries.filter(({ role, rank }) => rank < 4 && role !== "token"),
    act.subject,
  );
  return { addresses, withCode, grants };
}

/** Selectors of EIP-20, EIP-721 and EIP-1155 that give no right: whoever calls them deals with somebody else than the token. */
const tokenSelectors: ReadonlySet<string> = new Set([
  "0xa9059cbb", // transfer(address,uint256)
  "0x23b872dd", // transferFrom(address,address,uint256)
  "0xa457c2d7", // decreaseAllowance(address,uint256)
  "0x42842e0e", // safeTransferFrom(address,address,uint256)
  "0xb88d4fde", // safeTransferFrom(address,address,uint256,bytes)
  "0xf242432a", // safeTransferFrom(address,address,uint256,uint256,bytes)
  "0x2eb2c2d6", // safeBatchTransferFrom
]);

/** Addresses that nobody deals with: burn addresses, precompiles, and the contracts of the chain itself. */
export function isExempt(address: Address): boolean {
  if (address === zeroAddress || address === deadAddress) return true;
  return chain.predeploy.test(address) || chain.precompile.test(address);
}

interface Entry {
  address: Address;
  role: Role;
  rank: number;
  selector?: Hex | null;
}

function entryOfGrant(grant: Grant, { labels }: SubjectAct): Entry {
  const believed = grant.basis === "call" || labels.token(grant.token) !== undefined;
  return { address: grant.grantee, role: grant.kind === "operator" ? "operator" : "spender", rank: believed ? 0 : 3 };
}

/** What another account that signed along delegates to comes after what the subject dealt with itself. */
function entryOfDelegation({ delegate, authority }: Delegation, { tx, subject }: SubjectAct): Entry {
  const own = authority === subject || authority === tx.from;
  return { address: delegate, role: "delegate", rank: own ? 0 : 3 };
}

/** Direct receivers of the subject's assets that keep some of them. A token contract is no receiver of its own token. */
function recipients(act: SubjectAct): Entry[] {
  const { tx, subject, labels } = act;
  const given = tx.movements.filter(
    (move) => move.from === subject && move.to !== move.token && move.amount > 0n && !move.fee,
  );
  if (given.length === 0) return [];
  const used = new Set(act.calls.filter((call) => call.actor === subject).map((call) => call.to));
  const nets = netsOf(new Set(given.map((move) => move.to)), tx.movements);
  return given
    .filter((move) => (nets.get(`${move.to}${assetOf(move)}`) ?? 0n) > 0n)
    .map((move): Entry => {
      const believed = move.token === null || labels.token(move.token) !== undefined || used.has(move.token);
      return { address: move.to, role: "recipient", rank: believed ? 1 : 3 };
    });
}

/** What each of the accounts got of each asset, less what it gave. */
function netsOf(accounts: ReadonlySet<Address>, movements: readonly Movement[]): Map<string, bigint> {
  const nets = new Map<string, bigint>();
  const add = (account: Address, amount: bigint, move: Movement): void => {
    if (!accounts.has(account)) return;
    const key = `${account}${assetOf(move)}`;
    nets.set(key, (nets.get(key) ?? 0n) + amount);
  };
  for (const move of movements) {
    add(move.to, move.amount, move);
    add(move.from, -move.amount, move);
  }
  return nets;
}

function assetOf({ token, tokenId }: Movement): string {
  return tokenId === null ? `${token}` : `${token}:${tokenId}`;
}

/** What the subject called in the end, with the wrappers taken off. */
function calledContracts({ tx, subject, calls, ruleset }: SubjectAct): Entry[] {
  const parents = new Set(calls.map((call) => call.parent));
  const reverted = tx.status === "reverted";
  return calls
    .filter((call) => call.actor === subject && !parents.has(call.id) && (reverted || call.state !== "failed"))
    .flatMap((call): Entry[] => {
      if (call.to === null) return [];
      const selector = selectorOf(call.input) ?? null;
      const isToken = tokenSelectors.has(selector ?? "") || isGrantCall(call.input, ruleset.grants);
      const role = isToken ? "token" : "called";
      return [{ address: call.to, role, rank: role === "token" ? 4 : 2, selector }];
    });
}

function tokens({ tx, labels }: SubjectAct, grants: readonly Grant[]): Address[] {
  const moved = tx.movements.flatMap((move) => (move.token === null ? [] : [move.token]));
  return [...grants.map((grant) => grant.token), ...moved].filter((token) => labels.token(token) === undefined);
}

function merge(entries: readonly Entry[], subject: Address): Examined[] {
  const found = new Map<Address, Examined & { rank: number }>();
  for (const { address, role, rank, selector } of entries) {
    const known = found.get(address);
    if (known === undefined) {
      if (address !== subject && !isExempt(address))
        found.set(address, { address, roles: [role], selector: selector ?? null, rank });
    } else {
      known.selector ??= selector ?? null;
      if (!known.roles.includes(role)) rank < known.rank ? known.roles.unshift(role) : known.roles.push(role);
      known.rank = Math.min(known.rank, rank);
    }
  }
  return [...found.values()].sort((a, b) => a.rank - b.rank).map(({ rank: _, ...examined }) => examined);
}
