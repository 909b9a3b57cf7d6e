import type { Address } from "../../../kernel/address.ts";
import type { Phrase } from "../../../model/phrase.ts";

/** The kinds of placeholders. The right side is the type of the value; `S` is a phrase with its values. */
export interface PlaceholderValues<S> {
  /** Text of our own, or text that is already formatted and quoted. */
  text: string;
  number: number;
  /** Written in full, in EIP-55 form. */
  address: Address;
  /** Written as `0x1234…abcd`. */
  short: Address;
  /** In full, with commas between them. */
  addresses: readonly Address[];
  /** Another phrase of the table. */
  clause: S;
  /** Several phrases, with semicolons between them. */
  clauses: readonly S[];
  /** Text that may come from a contract; the value itself says whether it does. */
  phrase: Phrase;
}

export type PlaceholderKind = keyof PlaceholderValues<never>;
