import type { EventItem, FunctionItem } from "../abi/signature.ts";
import { type Address, zeroAddress } from "../kernel/address.ts";

/** Where a value of an event stands: the place of the argument, then of the member of each struct around it. */
export type EventPlace = readonly number[];

/** An event by which a known contract reports an allowance that it keeps itself. */
export interface GrantEvent {
  event: EventItem;
  contracts: ReadonlySet<Address>;
  /** Display name of the protocol that keeps the allowance. */
  protocol: string;
  owner: EventPlace;
  token: EventPlace;
  spender: EventPlace;
  /** What tells several rights of one spender over one token apart; null: the last one replaces the others. */
  key: EventPlace | null;
  /** null: the event takes the right back. */
  amount: EventPlace | null;
  /** Unix seconds at which the right ends: 0 is the block of the transaction only, the largest number of its type is never. */
  until: EventPlace | null;
  /** The largest number of the amount's type, which is never counted down; null where that is 256 bits wide. */
  unlimited: bigint | null;
  /** The largest number of the type of `until`. */
  never: bigint | null;
}

/** Where a value of a call stands: the place of the argument, then of the member of each struct around it. */
export interface CallPlace {
  path: readonly number[];
  /** It stands in an element of the list that the call gives rights by. */
  ofItem: boolean;
}

/** A function that gives somebody a right over tokens. */
export interface GrantCall {
  call: FunctionItem;
  /** null: any token contract has it. */
  contracts: ReadonlySet<Address> | null;
  /** The list of which each element is a right; null: the call gives one. */
  each: readonly number[] | null;
  /** Who owns what the right is over; null: the caller. */
  owner: CallPlace | null;
  spender: CallPlace;
  /** The amount of a token; null for rights over NFTs. */
  amount: CallPlace | null;
  /** False where the right is taken back; null: there is none. */
  given: CallPlace | null;
  /** The token, where another contract keeps the allowance; null: the called contract is the token. */
  token: CallPlace | null;
  /** The time at which the right ends, as in {@link GrantEvent}; null: it has no end. */
  until: CallPlace | null;
  /** As in {@link GrantEvent}. */
  key: CallPlace | null;
}

/** A right as a call asks for it. What the function has no place for is null. */
export interface AskedRight {
  owner: Address | null;
  spender: Address;
  amount: bigint | null;
  /** False: it is taken back. */
  given: boolean;
  token: Address | null;
  until: bigint | null;
  /** Empty where nothing tells it apart. */
  key: string;
}

/** What a log says of a right, as {@link AskedRight}; undefined where it is no such event. */
export function readGrantLog(
  { event, ...grant }: GrantEvent,
  { topics, data }: { topics: readonly string[]; data: string },
) {
  const args = event.read(topics, data);
  if (args === undefined) return undefined;
  const at = (place: EventPlace | null): unknown => (place === null ? null : valueAt(args, place));
  return {
    owner: at(grant.owner) as Address,
    token: tokenAt(at(grant.token)) as Address,
    spender: at(grant.spender) as Address,
    amount: at(grant.amount) as bigint | null,
    until: at(grant.until) as bigint | null,
    key: String(at(grant.key) ?? ""),
  };
}

/** The rights that a call of the function asks for, in its order; undefined where the calldata is no such call. */
export function readRights(grant: GrantCall, input: string): AskedRight[] | undefined {
  const args = grant.call.read(input);
  if (args === undefined) return undefined;
  if (grant.each === null) return [rightIn(grant, args, undefined)];
  return (valueAt(args, grant.each) as unknown[]).map((item) => rightIn(grant, args, item));
}

function rightIn(grant: GrantCall, args: unknown, item: unknown): AskedRight {
  const at = (place: CallPlace | null): unknown =>
    place === null ? null : valueAt(place.ofItem ? item : args, place.path);
  return {
    owner: at(grant.owner) as Address | null,
    spender: at(grant.spender) as Address,
    amount: at(grant.amount) as bigint | null,
    given: at(grant.given) !== false && at(grant.amount) !== 0n,
    token: tokenAt(at(grant.token)),
    until: at(grant.until) as bigint | null,
    key: String(at(grant.key) ?? ""),
  };
}

/** Where a contract keeps allowances of ether, zero stands for it: here the address by which labels know it. */
function tokenAt(value: unknown): Address | null {
  return (value === zeroAddress ? `0x${"e".repeat(40)}` : value) as Address | null;
}

/** What stands at a place of decoded values; undefined where there are none. */
export function valueAt(value: unknown, path: readonly number[]): unknown {
  return path.reduce<unknown>((inner, place) => (inner as readonly unknown[] | undefined)?.[place], value);
}

/** Who can be given a right over tokens, and how: what the `grants` of all rule files say. */
export interface GrantTable {
  /** By topic0. */
  events: ReadonlyMap<string, readonly GrantEvent[]>;
  /** By selector. */
  calls: ReadonlyMap<string, readonly GrantCall[]>;
  /** Amounts below half of uint256 that mean "unlimited". */
  unlimited: ReadonlySet<bigint>;
}

/** What one rule file says under `grants`. */
export interface FileGrants {
  events: GrantEvent[];
  calls: GrantCall[];
}

export function indexGrants(files: readonly FileGrants[]): GrantTable {
  const events = files.flatMap((file) => file.events);
  const calls = files.flatMap((file) => file.calls);
  return {
    events: Map.groupBy(events, ({ event }) => event.hash as string),
    calls: Map.groupBy(calls, ({ call }) => call.hash as string),
    unlimited: new Set(events.flatMap(({ unlimited }) => unlimited ?? [])),
  };
}

/**
 * Whether calldata has its caller allow somebody to spend an amount of a token, as batches do before the act that spends it.
 * Whatever contract is called: it only prepares the act all the same.
 */
export function allowsSpending({ calls }: GrantTable, input: string): boolean {
  return (calls.get(input.slice(0, 10)) ?? []).some(({ owner, amount }) => amount !== null && owner === null);
}

/**
 * Whom a call gives a right over the caller's tokens; null when it takes the right back. undefined: it is no such call of this
 * contract.
 */
export function granteeOf({ calls }: GrantTable, to: Address, input: string): Address | null | undefined {
  const known = calls.get(input.slice(0, 10))?.find(({ contracts, owner }) => owner === null && admits(contracts, to));
  const [right] = (known && readRights(known, input)) ?? [];
  if (right === undefined) return undefined;
  return right.given ? right.spender : null;
}

/** Whether a contract is one of those, or any will do. */
export function admits(contracts: ReadonlySet<Address> | null, address: Address | null): boolean {
  return contracts === null || (address !== null && contracts.has(address));
}

/** A pure cache: the same table has the same agents. */
const agents = new WeakMap<GrantTable, ReadonlySet<Address>>();

/** Contracts that move tokens for whoever calls them: the right is the caller's. */
export function agentsOf(grants: GrantTable): ReadonlySet<Address> {
  let known = agents.get(grants);
  if (known === undefined) {
    known = new Set([...grants.events.values()].flatMap((some) => some.flatMap(({ contracts }) => [...contracts])));
    agents.set(grants, known);
  }
  return known;
}
