import type { Address } from "../kernel/address.ts";
import type { BlockCalendar } from "../kernel/block-calendar.ts";

/** What nodes run themselves at an address. It has no source code. */
export interface Precompile {
  name: string;
  /**
   * A read that is true for addresses where it is: function `asks` of `contract`, with the address. null: it is there for certain. Addresses
   * of the right form alone prove nothing.
   */
  proof: { contract: Address; asks: string } | null;
}

/** What holds on the chain from some block on (labels/chain.yaml). A block that is null means the newest one. */
export interface ChainCalendar {
  /** When blocks are made; null where no file says it. */
  readonly blocks: BlockCalendar | null;
  /** The most gas that one transaction in the block may have, deposits apart (EIP-7825); null: as much as the block has. */
  gasCap(block: number | null): bigint | null;
  /** The precompile at an address, or that may be there (`proof`). */
  precompile(address: string, block: number | null): Precompile | undefined;
  /** Whether a call is one that the chain itself puts into blocks as a deposit. Its code moves no ether. */
  isSystemDeposit(call: { from: string; to: string | null; input: string }): boolean;
  /** Whether the address is kept for a contract of the chain itself. */
  isPredeploy(address: string): boolean;
}
