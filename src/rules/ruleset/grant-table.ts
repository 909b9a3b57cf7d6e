import { type Address, zeroAddress } from "../../kernel/address.ts";
import type { EventItem, FunctionItem } from "../abi/signature.ts";

/** Positions: the argument, then the member in each struct. */
export type EventPlace = readonly number[];

/** An event of a known contract that keeps allowances itself. */
export interface GrantEvent {
  event: EventItem;
  contracts: ReadonlySet<Address>;
  /** Display name of the keeper. */
  protocol: string;
  owner: EventPlace;
  token: EventPlace;
  spender: EventPlace;
  /** Distinguishes rights of one spender over one token; null: the last right replaces the others. */
  key: EventPlace | null;
  /** Base units; null: the event revokes the right. */
  amount: EventPlace | null;
  /** Unix seconds; null: no end. 0: this block only; the largest number of the type: never. */
  until: EventPlace | null;
  /** The largest number of the type: "unlimited", never counted down; null for uint256. */
  unlimited: bigint | null;
  /** The largest number of the type of `until`; null for uint256. */
  never: bigint | null;
}

/** Positions: the argument, then the member in each struct. */
export interface CallPlace {
  path: readonly number[];
  /** Starts at an element of `each`. */
  ofItem: boolean;
}

/** A function that gives somebody a right over tokens. */
export interface GrantCall {
  call: FunctionItem;
  /** null: any token contract. */
  contracts: ReadonlySet<Address> | null;
  /** One right an element; null: one right. */
  each: readonly number[] | null;
  /** null: the caller. */
  owner: CallPlace | null;
  spender: CallPlace;
  /** null over NFTs. */
  amount: CallPlace | null;
  /** False where the right is revoked; null: no such argument. */
  given: CallPlace | null;
  /** Where another contract keeps the allowance; null: the called contract is the token. */
  token: CallPlace | null;
  /** As in {@link GrantEvent}. */
  until: CallPlace | null;
  /** As in {@link GrantEvent}. */
  key: CallPlace | null;
}

/** A right as a call asks for it. null: no argument for the value. */
export interface AskedRight {
  owner: Address | null;
  spender: Address;
  amount: bigint | null;
  /** False: revoked. */
  given: boolean;
  token: Address | null;
  until: bigint | null;
  /** Distinguishes rights of one spender over one token. */
  key: string;
}

/** Undefined where the log is another event. */
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

/** Undefined where the calldata does not decode. */
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

/** Contracts write zero for ether; labels know it by 0xeeee…eeee. */
function tokenAt(value: unknown): Address | null {
  return (value === zeroAddress ? `0x${"e".repeat(40)}` : value) as Address | null;
}

/** Undefined where something is missing. */
export function valueAt(value: unknown, path: readonly number[]): unknown {
  return path.reduce<unknown>((inner, place) => (inner as readonly unknown[] | undefined)?.[place], value);
}

/** The `grants` of all rule files. */
export interface GrantTable {
  /** By topic0. */
  events: ReadonlyMap<string, readonly GrantEvent[]>;
  /** By selector. */
  calls: ReadonlyMap<string, readonly GrantCall[]>;
  /** The largest numbers of types below 256 bits. */
  unlimited: ReadonlySet<bigint>;
}

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

/** Lets somebody spend an amount of the caller's tokens, at any contract: batches prepare an act by such calls. */
export function allowsSpending({ calls }: GrantTable, input: string): boolean {
  return (calls.get(input.slice(0, 10)) ?? []).some(({ owner, amount }) => amount !== null && owner === null);
}

/** null: the call revokes the right. undefined: another call or contract. */
export function granteeOf({ calls }: GrantTable, to: Address, input: string): Address | null | undefined {
  const known = calls.get(input.slice(0, 10))?.find(({ contracts, owner }) => owner === null && admits(contracts, to));
  const [right] = (known && readRights(known, input)) ?? [];
  if (right === undefined) return undefined;
  return right.given ? right.spender : null;
}

/** null: any. */
export function admits(contracts: ReadonlySet<Address> | null, address: Address | null): boolean {
  return contracts === null || (address !== null && contracts.has(address));
}

/** Keyed by table, which never changes. */
const keepers = new WeakMap<GrantTable, ReadonlySet<Address>>();

/** Contracts such as Permit2: they move tokens for their caller, and the right is the caller's. */
export function allowanceKeepersOf(grants: GrantTable): ReadonlySet<Address> {
  let known = keepers.get(grants);
  if (known === undefined) {
    known = new Set([...grants.events.values()].flatMap((some) => some.flatMap(({ contracts }) => [...contracts])));
    keepers.set(grants, known);
  }
  return known;
}
