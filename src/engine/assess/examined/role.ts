import type { Address } from "../../../kernel/address.ts";
import { type Statement, state } from "../../../rules/ruleset/wording/phrases.ts";

/**
 * The part of an examined address in the transaction. `sender`: it sent the transaction. `account`: the transaction used its authority.
 */
export type Role =
  | "spender"
  | "operator"
  | "delegate"
  | "controller"
  | "recipient"
  | "called"
  | "token"
  | "sender"
  | "account"
  | "verifier"
  | "named"
  | "mentioned";

/** `the spender 0x…`, with the EIP-55 address in full. */
export function nameRole(role: Role, address: Address): Statement {
  return state(`role.${role}`, { address });
}
