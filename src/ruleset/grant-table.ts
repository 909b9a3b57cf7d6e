import type { EventItem, FunctionItem } from "../abi/signature.ts";
import type { Address } from "../kernel/address.ts";

/** An event by which a known contract reports an allowance that it keeps itself. Places of the event's arguments. */
export interface GrantEvent {
  event: EventItem;
  contracts: ReadonlySet<Address>;
  /** Display name of the protocol that keeps the allowance. */
  protocol: string;
  owner: number;
  token: number;
  spender: number;
  /** null: the event takes the right back. */
  amount: number | null;
  /** Unix seconds at which the right ends: 0 is the block of the transaction only, the largest number of its type is never. */
  until: number | null;
  /** The largest number of the amount's type, which is never counted down; null where that is 256 bits wide. */
  unlimited: bigint | null;
  /** The largest number of the type of `until`. */
  never: bigint | null;
}

/** A function that gives somebody a right over tokens. */
export interface GrantCall {
  call: FunctionItem;
  /** null: any token contract has it. */
  contracts: ReadonlySet<Address> | null;
  /** Place of the argument that names the owner; null: the caller. */
  owner: number | null;
  /** Place of the argument that names who gets the right. */
  spender: number;
  /** Place of the amount of a token; null for rights over NFTs. */
  amount: number | null;
  /** Place of the argument that is false where the right is taken back; null: there is none. */
  given: number | null;
  /** Place of the token, where another contract keeps the allowance; null: the called contract is the token. */
  token: number | null;
  /** Place of the time at which the right ends, as in {@link GrantEvent}; null: it has no end. */
  until: number | null;
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

/** Indexes the grants of all rule files. */
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
  const args = known?.call.read(input);
  if (known === undefined || args === undefined) return undefined;
  const { spender, amount, given } = known;
  const isTaken = (amount !== null && args[amount] === 0n) || (given !== null && args[given] === false);
  return isTaken ? null : (args[spender] as Address);
}

/** Whether a contract is one of those, or any will do. */
export function admits(contracts: ReadonlySet<Address> | null, address: Address | null): boolean {
  return contracts === null || (address !== null && contracts.has(address));
}
