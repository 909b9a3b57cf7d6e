import type { Address } from "../kernel/address.ts";
import type { Hash, Hex } from "../kernel/hex.ts";

export type TransactionType = "legacy" | "eip2930" | "eip1559" | "eip4844" | "eip7702" | "deposit" | "other";

/** The form that the stages read: typed, lower case, in order of execution. */
export interface Transaction {
  hash: Hash;
  type: TransactionType;
  /** EIP-2718, where none of the known types. */
  unknownType: string | undefined;
  status: "success" | "reverted";
  /** `simulated`: by a simulation. `requested`: only asked for; status "reverted", because nothing moved. */
  mode: "mined" | "simulated" | "requested";
  blockNumber: number;
  /** Unix seconds; null when unknown. */
  timestamp: number | null;
  from: Address;
  /** null: contract creation, or not known. */
  to: Address | null;
  value: bigint;
  input: Hex;
  /** Not of an unknown type with a null `to`. */
  creates: boolean;
  /** By the transaction itself (`to` null). */
  created: Address | null;
  /** Took effect, in order; kept even where the transaction reverted. */
  authorizations: CodeAuthorization[];
  /** Wei minted on L2 by a deposit (type 0x7e), else 0. */
  depositMint: bigint;
  /** Wei: execution, L1 data and operator fee; null when a part is missing. */
  feeWei: bigint | null;
  /** Parents before children. Without a call tree, the transaction's own call. */
  calls: Call[];
  logs: Log[];
  /** That took effect, in order. */
  movements: Movement[];
  /** Listed by labels, so their logs are believed. */
  listed: ReadonlySet<Address>;
  weth: ReadonlySet<Address>;
  /** Base units that one ether is worth; undefined when not known. */
  etherWorth: (token: Address) => bigint | undefined;
  /** `calls` is the whole call tree. */
  traced: boolean;
  /** False: the gas used proves that no code ran. */
  ranCode: boolean;
  /** False: an ether movement could have been missed. */
  nativeComplete: boolean;
  /** Because of a limit. */
  truncated: string[];
}

/** EIP-7702. */
export interface CodeAuthorization {
  /** null: the signature was not recorded. */
  authority: Address | null;
  /** Zero when it cleared the code. */
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
  /** False when it or a frame around it reverted. */
  ok: boolean;
}

export interface Log {
  /** In the receipt, 0-based. */
  index: number;
  address: Address;
  topics: Hex[];
  data: Hex;
  /** Its frame; -1 when unknown. */
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
  /** Position in the receipt; −1 for ether. */
  log: number;
  /** Its frame; -1 when unknown. */
  call: number;
  /** Gas of an account-abstraction wrapper, in ether or a token; left out of balance changes. */
  fee: boolean;
  /** Only without a trace: `inferred` (ether from unwrapped WETH), `calldata` (value of an unwrapped call that must have run). */
  basis: "log" | "transaction" | "trace" | "internal" | "inferred" | "calldata";
}
