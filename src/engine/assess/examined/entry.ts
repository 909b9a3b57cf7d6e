import type { Address } from "../../../kernel/address.ts";
import type { Hex } from "../../../kernel/hex.ts";
import type { Role } from "./role.ts";

/** A reason to examine an address. */
export interface Entry {
  address: Address;
  role: Role;
  /** The place in the order of {@link ranks}: the lowest number is examined first. */
  rank: number;
  /** The principal that deals with it. */
  account: Address;
  selector?: Hex | null;
}

/** The order in which addresses are examined. Ranks after `lastWithCode` are only looked up in the drainer lists. */
export const ranks = {
  /** rights over tokens, delegates, code that an account runs as its own, new controllers */
  power: 0,
  /** whoever has a principal's money in the end */
  money: 1,
  /** contracts that the subject called */
  called: 2,
  /** contracts that other principals called or delegate to */
  others: 3,
  /** addresses that only the told acts name */
  named: 4,
  /** what only an unknown token contract says */
  junk: 5,
  lastWithCode: 5,
  token: 6,
  /** accounts that only passed money on, and who sent the transaction for another account */
  listsOnly: 7,
} as const;
