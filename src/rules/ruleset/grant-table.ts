import { type Address, zeroAddress } from "../../kernel/address.ts";
import type { EventItem, FunctionItem } from "../abi/signature.ts";

/** Where a value of an event is: the position of the argument, then of the member in each struct. */
export type EventPlace = readonly number[];

/** An event of a known contract that keeps allowances itself. */
export interface GrantEvent {
  event: EventItem;
  contracts: ReadonlySet<Address>;
  /** Display name of the protocol that keeps the allowance. */
  protocol: string;
  owner: EventPlace;
  token: EventPlace;
  spender: EventPlace;
  /** Distinguishes several rights of one spender over one token. null: the last right replaces the others. */
  key: EventPlace | null;
  /** The allowance, in the token's base units. null: the event takes the right back. */
  amount: EventPlace | null;
  /**
   * When the right ends, in Unix seconds; null: it has no end. 0 means the block of the transaction only, the largest number of the type
   * means never.
   */
  until: EventPlace | null;
  /** The largest number of the amount's type, which means "unlimited" and is never counted down; null for uint256. */
  unlimited: bigint | null;
  /** The largest number of the type of `until`, which means never; null for uint256. */
  never: bigint | null;
}

/** Where a value of a call is: the position of the argument, then of the member in each struct. */
export interface CallPlace {
  path: readonly number[];
  /** The path starts at an element of the list `each`, not at the arguments. */
  ofItem: boolean;
}

/** A function that gives somebody a right over tokens. */
export interface GrantCall {
  call: FunctionItem;
  /** null: a function of any token contract. */
  contracts: ReadonlySet<Address> | null;
  /** The list whose elements are one right each; null: the call gives one right. */
  each: readonly number[] | null;
  /** The owner of the tokens; null: the caller. */
  owner: CallPlace | null;
  spender: CallPlace;
  /** The amount of a token; null for rights over NFTs. */
  amount: CallPlace | null;
  /** The argument that is false where the right is taken back; null: the function has none. */
  given: CallPlace | null;
  /** The token, where a contract other than the token keeps the allowance; null: the called contract is the token. */
  token: CallPlace | null;
  /** The time at which the right ends, as in {@link GrantEvent}; null: it has no end. */
  until: CallPlace | null;
  /** As in {@link GrantEvent}. */
  key: CallPlace | null;
}

/** A right as a call asks for it. null where the function has no argument for the value. */
export interface AskedRight {
  owner: Address | null;
  spender: Address;
  amount: bigint | null;
  /** False: the call takes the right back. */
  given: boolean;
  token: Address | null;
  until: bigint | null;
  /** Distinguishes several rights of one spender over one token; empty where the function has no such argument. */
  key: string;
}

/** Decodes a log to the values of a right. Undefined where the log is another event. */
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

/** The rights that a call of the function asks for, in their order. Undefined where the calldata does not decode. */
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

/** The token at a place. Contracts that keep allowances of ether write zero for it; labels know ether by the address 0xeeee…eeee. */
function tokenAt(value: unknown): Address | null {
  return (value === zeroAddress ? `0x${"e".repeat(40)}` : value) as Address | null;
}

/** The value at a path of decoded values; undefined where something on the path is missing. */
export function valueAt(value: unknown, path: readonly number[]): unknown {
  return path.reduce<unknown>((inner, place) => (inner as readonly unknown[] | undefined)?.[place], value);
}

/** All functions and events that give rights over tokens: the `grants` of all rule files. */
export interface GrantTable {
  /** By topic0. */
  events: ReadonlyMap<string, readonly GrantEvent[]>;
  /** By selector. */
  calls: ReadonlyMap<string, readonly GrantCall[]>;
  /** Amounts that mean "unlimited" although they are small: the largest numbers of types narrower than 256 bits. */
  unlimited: ReadonlySet<bigint>;
}

/** What one rule file says under `grants`. */
export interface FileGrants {
  events: GrantEvent[];
  calls: GrantCall[];
}

/** Joins the grants of all rule files, with indexes by topic0 and selector. */
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
 * Whether calldata makes its caller allow somebody to spend an amount of a token. Batches hold such calls before the act that spends the
 * amount. The called contract does not matter: such a call only prepares the act.
 */
export function allowsSpending({ calls }: GrantTable, input: string): boolean {
  return (calls.get(input.slice(0, 10)) ?? []).some(({ owner, amount }) => amount !== null && owner === null);
}

/**
 * Who gets a right over the caller's tokens by a call. null: the call takes the right back. undefined: it is another call, or one at
 * another contract.
 */
export function granteeOf({ calls }: GrantTable, to: Address, input: string): Address | null | undefined {
  const known = calls.get(input.slice(0, 10))?.find(({ contracts, owner }) => owner === null && admits(contracts, to));
  const [right] = (known && readRights(known, input)) ?? [];
  if (right === undefined) return undefined;
  return right.given ? right.spender : null;
}

/** Whether a contract is in the set. null means any contract. */
export function admits(contracts: ReadonlySet<Address> | null, address: Address | null): boolean {
  return contracts === null || (address !== null && contracts.has(address));
}

/** By table: the result of {@link allowanceKeepersOf}, which never changes. */
const keepers = new WeakMap<GrantTable, ReadonlySet<Address>>();

/**
 * Contracts that keep allowances themselves, such as Permit2. They move tokens for their caller; the right that is used is the caller's.
 */
export function allowanceKeepersOf(grants: GrantTable): ReadonlySet<Address> {
  let known = keepers.get(grants);
  if (known === undefined) {
    known = new Set([...grants.events.values()].flatMap((some) => some.flatMap(({ contracts }) => [...contracts])));
    keepers.set(grants, known);
  }
  return known;
}
