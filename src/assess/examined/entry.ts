import type { Address } from "../../kernel/address.ts";
import type { Hex } from "../../kernel/hex.ts";
import type { Role } from "./role.ts";

/** A reason to examine an address. */
export interface Entry {
  address: Address;
  role: Role;
  /** Lower goes first; see `ranks`. */
  rank: number;
  /** The principal that deals with it. */
  account: Address;
  selector?: Hex | null;
}

/** In which order addresses are examined. What follows `lastWithCode` is looked for in the lists only. */
export const ranks = {
  /** rights over tokens, delegates, code that an account runs as its own, new controllers */
  power: 0,
  /** whoever has a principal's money in the end */
  money: 1,
  /** what the subject called */
  called: 2,
  /** what other principals called or delegate to */
  others: 3,
  /** what the told acts name */
  named: 4,
  /** what only a token that nobody knows says */
  junk: 5,
  lastWithCode: 5,
  token: 6,
  /** whom the money passed, and who sent the transaction for another */
  listsOnly: 7,
} as const;
