import type { Address } from "../kernel/address.ts";
import type { Hash, Hex } from "../kernel/hex.ts";

export type TransactionType = "legacy" | "eip2930" | "eip1559" | "eip4844" | "eip7702" | "deposit" | "other";

/** One transaction in the shape that the rest of the decoder reads: typed, lower-case, in execution order. */
export interface Transaction {
  hash: Hash;
  type: TransactionType;
  status: "success" | "reverted";
  /** How it is known: it happened, it was simulated, or it is only asked for (its status is then "reverted": nothing moved). */
  mode: "mined" | "simulated" | "requested";
  blockNumber: number;
  /** Unix seconds; null when the block did not say. */
  timestamp: number | null;
  from: Address;
  /** null: contract creation. */
  to: Address | null;
  value: bigint;
  input: Hex;
  /** Address created by the transaction itself (`to` null). */
  created: Address | null;
  /** EIP-7702 authorizations that took effect, in order. They stand even where the transaction itself reverted. */
  authorizations: CodeAuthorization[];
  /** ETH minted on L2 by a deposit (type 0x7e), else 0. */
  depositMint: bigint;
  /** Total fee in wei: execution, L1 data and operator fee; null when the receipt lacks a part. */
  feeWei: bigint | null;
  /** Every frame in pre-order. Without a call tree: the transaction's own call only. */
  calls: Call[];
  logs: Log[];
  /** Value movements that took effect, in transaction order. */
  movements: Movement[];
  /** Tokens among them that labels list. Their logs can be believed. */
  listed: ReadonlySet<Address>;
  /** The wrapped ether contracts. */
  weth: ReadonlySet<Address>;
  /** Base units of a token that one ether is worth, where that is known. */
  etherWorth: (token: Address) => bigint | undefined;
  /** True when `calls` is the real call tree. */
  traced: boolean;
  /** False when the gas used proves that no code ran. */
  ranCode: boolean;
  /** False when a native movement could have been missed. */
  nativeComplete: boolean;
  /** What was left out because of a limit. */
  truncated: string[];
}

/** What an account's code was set to by EIP-7702. */
export interface CodeAuthorization {
  /** The account that signed it; null when that cannot be told, since no signature was recorded. */
  authority: Address | null;
  /** The zero address where the code was cleared. */
  delegate: Address;
}

export type CallKind = "call" | "delegatecall" | "staticcall" | "callcode" | "create" | "create2" | "selfdestruct";

export interface Call {
  index: number;
  parent: number;
  depth: number;
  kind: CallKind;
  from: Address;
  /** null only when a creation failed. */
  to: Address | null;
  value: bigint;
  input: Hex;
  /** False when this frame or one around it reverted. */
  ok: boolean;
}

export interface Log {
  /** Position within the receipt: 0-based. */
  index: number;
  address: Address;
  topics: Hex[];
  data: Hex;
  /** Frame that emitted it; -1 when unknown. */
  call: number;
}

export type AssetStandard = "native" | "erc20" | "erc721" | "erc1155";

export interface Movement {
  index: number;
  standard: AssetStandard;
  /** null for native ether. */
  token: Address | null;
  /** NFTs only. */
  tokenId: bigint | null;
  amount: bigint;
  from: Address;
  to: Address;
  /** Receipt position of the log that states it; -1 for native movements. */
  log: number;
  /** Frame that carries it; -1 when unknown. */
  call: number;
  /** Gas of an account-abstraction wrapper, in ether or in a token: kept in the list, left out of balance changes. */
  fee: boolean;
  /** How it is known. Without a trace: `inferred`, WETH unwrapped; `calldata`, the value of an unwrapped call that must have run. */
  basis: "log" | "transaction" | "trace" | "internal" | "inferred" | "calldata";
}
