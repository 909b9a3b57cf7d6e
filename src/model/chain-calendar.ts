import type { BlockCalendar } from "../kernel/block-calendar.ts";

/** What holds since which block (labels/chain.yaml). A null block is the newest. */
export interface ChainCalendar {
  /** null where no file says it. */
  readonly blocks: BlockCalendar | null;
  /** Of one transaction, deposits apart (EIP-7825); null: as much as the block has. */
  gasCap(block: number | null): bigint | null;
  /** Run by the nodes themselves, without source code. */
  isPrecompile(address: string, block: number | null): boolean;
  /** A deposit that the chain itself puts into blocks. Its code moves no ether. */
  isSystemDeposit(call: { from: string; to: string | null; input: string }): boolean;
  /** Reserved for a contract of the chain itself. */
  isPredeploy(address: string): boolean;
}
