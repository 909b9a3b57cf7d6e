import type { Address } from "../../../kernel/address.ts";
import type { Phrase } from "../../../model/phrase.ts";

/** The value's type by kind of placeholder; `S` is a phrase with its values. */
export interface PlaceholderValues<S> {
  /** Our own, or formatted and quoted already. */
  text: string;
  number: number;
  /** In full, EIP-55. */
  address: Address;
  /** `0x1234…abcd` */
  short: Address;
  /** In full, commas between. */
  addresses: readonly Address[];
  clause: S;
  /** Semicolons between. */
  clauses: readonly S[];
  /** May come from a contract; the value says whether. */
  phrase: Phrase;
}

export type PlaceholderKind = keyof PlaceholderValues<never>;
