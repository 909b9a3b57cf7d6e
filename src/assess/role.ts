import { type Address, checksum } from "../kernel/address.ts";

/** What an examined address is to the transaction. `sender`: it sent the transaction for another account. */
export type Role = "spender" | "operator" | "delegate" | "recipient" | "called" | "token" | "sender";

/** `the spender 0x…`, with the EIP-55 address in full. */
export function nameRole(role: Role, address: Address): string {
  return `${words[role]} ${checksum(address)}`;
}

/** The same at the beginning of a sentence. */
export function openWithRole(role: Role, address: Address): string {
  const text = nameRole(role, address);
  return `${text[0]?.toUpperCase()}${text.slice(1)}`;
}

const words: Record<Role, string> = {
  spender: "the spender",
  operator: "the operator",
  delegate: "the delegate",
  recipient: "the recipient",
  called: "the called contract",
  token: "the token",
  sender: "the sender",
};
