import type { Address } from "../../../kernel/address.ts";
import type { Hex } from "../../../kernel/hex.ts";
import type { Role } from "./role.ts";

export interface Entry {
  address: Address;
  role: Role;
  /** Of {@link ranks}; the lowest is examined first. */
  rank: number;
  account: Address;
  selector?: Hex | null;
}

/** Ranks after `lastWithCode` are only looked up in the drainer lists. */
export const ranks = {
  /** rights over tokens, delegates, code run as the account, new controllers */
  power: 0,
  /** who has a principal's money in the end */
  money: 1,
  /** contracts that the subject called */
  called: 2,
  /** contracts that other principals called or delegate to */
  others: 3,
  /** only named by the stated acts */
  named: 4,
  /** only claimed by an unknown token contract */
  junk: 5,
  lastWithCode: 5,
  token: 6,
  /** accounts that passed money on, and the sender for another account */
  listsOnly: 7,
} as const;
