import type { BlockCalendar } from "../kernel/block-calendar.ts";

/** What holds on the chain from some block on (labels/chain.yaml). A block that is null means the newest one. */
export interface ChainCalendar {
  /** When blocks are made; null where no file says it. */
  readonly blocks: BlockCalendar | null;
  /** The most gas that one transaction in the block may have, deposits apart (EIP-7825); null: as much as the block has. */
  gasCap(block: number | null): bigint | null;
  /** Whether nodes run something of their own at an address. It has no source code. */
  isPrecompile(address: string, block: number | null): boolean;
  /** Whether a call is one that the chain itself puts into blocks as a deposit. Its code moves no ether. */
  isSystemDeposit(call: { from: string; to: string | null; input: string }): boolean;
  /** Whether the address is kept for a contract of the chain itself. */
  isPredeploy(address: string): boolean;
}
