import type { Address } from "../kernel/address.ts";
import type { Hash, Hex } from "../kernel/hex.ts";

export type TransactionType = "legacy" | "eip2930" | "eip1559" | "eip4844" | "eip7702" | "deposit" | "other";

/** One transaction in the form that the stages read: typed, in lower case, in the order of execution. */
export interface Transaction {
  hash: Hash;
  type: TransactionType;
  /** The number of its type as the node wrote it (EIP-2718), where that is none of the known ones. */
  unknownType: string | undefined;
  status: "success" | "reverted";
  /**
   * How it is known. `mined`: it happened. `simulated`: a simulation showed it. `requested`: it is only asked for; its status is then
   * "reverted", because nothing moved.
   */
  mode: "mined" | "simulated" | "requested";
  blockNumber: number;
  /** Unix seconds; null when the block's time is unknown. */
  timestamp: number | null;
  from: Address;
  /** null: contract creation, or not known. */
  to: Address | null;
  value: bigint;
  input: Hex;
  /** Whether it is a contract creation. Not where `to` is null in a transaction of an unknown type. */
  creates: boolean;
  /** Address created by the transaction itself (`to` null). */
  created: Address | null;
  /** EIP-7702 authorizations that took effect, in order. They stand even where the transaction itself reverted. */
  authorizations: CodeAuthorization[];
  /** ETH minted on L2 by a deposit (type 0x7e), else 0. */
  depositMint: bigint;
  /** Total fee in wei: execution, L1 data and operator fee; null when the receipt lacks a part. */
  feeWei: bigint | null;
  /** Every frame, parents before their children. Without a call tree, only the transaction's own call. */
  calls: Call[];
  logs: Log[];
  /** Value movements that took effect, in transaction order. */
  movements: Movement[];
  /** The tokens of these movements that labels list. Their logs can be believed. */
  listed: ReadonlySet<Address>;
  /** The wrapped ether contracts. */
  weth: ReadonlySet<Address>;
  /** How many base units of a token one ether is worth; undefined where that is not known. */
  etherWorth: (token: Address) => bigint | undefined;
  /** True when `calls` holds the whole call tree. */
  traced: boolean;
  /** False when the gas used proves that no code ran. */
  ranCode: boolean;
  /** False when an ether movement could have been missed. */
  nativeComplete: boolean;
  /** What was left out because of a limit. */
  truncated: string[];
}

/** What an account's code was set to by EIP-7702. */
export interface CodeAuthorization {
  /** The account that signed it; null when that is unknown because the signature was not recorded. */
  authority: Address | null;
  /** The zero address when the authorization cleared the code. */
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
  /** False when this frame, or one that contains it, reverted. */
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
  /** Position in the receipt of the log that reports it; −1 for ether. */
  log: number;
  /** Frame that carries it; -1 when unknown. */
  call: number;
  /** Gas of an account-abstraction wrapper, in ether or in a token. It stays in the list, but is left out of balance changes. */
  fee: boolean;
  /**
   * How the movement is known. Two kinds occur only without a trace: `inferred` (ether from unwrapped WETH) and `calldata` (the value of an
   * unwrapped call that must have run).
   */
  basis: "log" | "transaction" | "trace" | "internal" | "inferred" | "calldata";
}
