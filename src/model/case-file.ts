import type { Address } from "../kernel/address.ts";
import type { Hash, Hex } from "../kernel/hex.ts";
import type { RiskLookups } from "./risk-lookups.ts";

/**
 * Everything that was gathered about one transaction. `record` writes it and `replay` reads it. The explanation is a pure function of the
 * case file, the rules and the labels. The format is schemas/case.schema.json. RPC objects are kept as JSON-RPC gave them (hex quantities),
 * without the fields that nothing reads.
 */
export interface CaseFile {
  version: 2;
  chain_id: number;
  tx_hash: Hash;
  /** When it was gathered, ISO 8601 in UTC. The stages never read it. */
  gathered_at: string;
  /** `eth_getTransactionByHash` */
  transaction: RpcTransaction;
  /** `eth_getTransactionReceipt` */
  receipt: RpcReceipt;
  block: { number: Hex; hash?: Hex; timestamp?: Hex };
  trace: Trace;
  /** Metadata of the token contracts that moved, by lower-case address. Tokens that labels list are not looked up. */
  tokens: Record<string, TokenLookup>;
  /** Reads at the transaction's block that prove which contracts are members of a protocol. */
  reads: ReadLookup[];
  price: PriceLookup;
  /** What the view of an account needs further; absent when no view was asked for. */
  view?: ViewLookups;
  /** Answers of the risk lookups; absent when none were made, or the case file is older than these lookups. */
  risk?: RiskLookups;
  /** Present for a preview: the transaction is not signed, and `block` is the block on which it was simulated. */
  simulation?: Simulation;
}

/** How the facts of a preview were obtained. */
export interface Simulation {
  /** `none`: it was not simulated, and only the calldata is known. The receipt then means nothing. */
  method: SimulationMethod;
  /** Whether the run had a gas price, a gas limit and a block, like a real transaction. */
  priced: boolean;
  /** Whether a run without these ended differently; null: there was no second run. */
  differs: boolean | null;
  /** Methods that were asked for and gave no result. `missing`: the endpoint does not have the method. */
  unavailable: { method: Exclude<SimulationMethod, "none">; reason: "missing" | "failed" }[];
  /** Why the transaction cannot be in the next block as it is; null: no reason is known. */
  refusal: RefusalReason | null;
}

/**
 * `funds`: the sender cannot pay value and fee. `nonce_low`, `nonce_high`: the nonce is not the account's next one. `gas_low`: the gas
 * limit is below the cost before any code runs. `gas_high`: it is above what a block has. `fee_low`: the fee is below the base fee.
 * `code_size`: the code of a creation is too large. `sender_code`: the sender is a contract. `other`: the node gave another reason.
 */
export type RefusalReason =
  | ("funds" | "nonce_low" | "nonce_high" | "gas_low" | "gas_high" | "fee_low" | "code_size" | "sender_code")
  | "other";

export type SimulationMethod = "debug_traceCall" | "eth_simulateV1" | "none";

export interface RpcTransaction {
  hash: string;
  type?: string;
  from: string;
  to: string | null;
  value: string;
  input: string;
  nonce?: string;
  gas?: string;
  gasPrice?: string;
  transactionIndex?: string;
  sourceHash?: string;
  mint?: string;
  isSystemTx?: boolean;
  authorizationList?: RpcAuthorization[];
  blobVersionedHashes?: string[];
}

/** `authority`: the account that will sign it, where it is not signed yet. */
export interface RpcAuthorization {
  chainId: string;
  address: string;
  nonce: string;
  yParity?: string;
  r?: string;
  s?: string;
  authority?: string;
}

export interface RpcLog {
  address: string;
  topics: string[];
  data: string;
  logIndex?: string;
}

export interface RpcReceipt {
  status?: string;
  from?: string;
  to?: string | null;
  contractAddress?: string | null;
  gasUsed?: string;
  effectiveGasPrice?: string;
  l1Fee?: string;
  operatorFeeScalar?: string;
  operatorFeeConstant?: string;
  daFootprintGasScalar?: string;
  logs: RpcLog[];
}

/** A frame in the form of geth's callTracer. Other sources are converted to it. */
export interface RpcFrame {
  type: string;
  from: string;
  to?: string;
  value?: string;
  input?: string;
  output?: string;
  error?: string;
  revertReason?: string;
  calls?: RpcFrame[];
  logs?: { address: string; topics: string[]; data: string; index?: string; position?: string }[];
}

/** An ether movement as an explorer or a simulation lists it, without a call tree. */
export interface InternalTransfer {
  type: string;
  from: string;
  to: string | null;
  value: string;
  success: boolean;
  /** How many logs of the receipt come before it; absent where the list does not say. */
  logs_before?: number;
}

export type Trace =
  | { source: "debug_traceTransaction" | "trace_transaction" | "debug_traceCall" | "eth_simulateV1"; root: RpcFrame }
  /** `provider`: the host or the RPC method that listed them. */
  | { source: "internal_transfers"; provider: string; internal_transfers: InternalTransfer[] }
  | { source: "none"; reason: string };

/** The first version of the format, in which one explorer was the only source of internal transfers. */
export interface CaseFileV1 extends Omit<CaseFile, "version" | "trace"> {
  version: 1;
  trace: Exclude<Trace, { source: "internal_transfers" }> | { source: "blockscout"; internal: InternalTransfer[] };
}

/** Turns a case file of any version into one of the newest version. The given object is not changed. */
export function upgradeCase(file: CaseFile | CaseFileV1): CaseFile {
  if (file.version === 2) return file;
  const { trace } = file;
  if (!("internal" in trace)) return { ...file, version: 2, trace };
  const listed = { provider: trace.source, internal_transfers: trace.internal };
  return { ...file, version: 2, trace: { source: "internal_transfers", ...listed } };
}

/**
 * How a lookup ended. `absent`: the source answered that there is nothing. `unavailable`: no answer; a retry may succeed. `inconclusive`:
 * what was found is not enough to decide.
 */
export type LookupStatus = "found" | "absent" | "unavailable" | "inconclusive";

export interface TokenLookup {
  status: LookupStatus;
  source: string;
  /** The contract's answer (UTF-8, with U+FFFD for invalid bytes); null when it gave none. An attacker may have chosen the text. */
  symbol: string | null;
  name: string | null;
  /** null when the contract gave none. Amounts are then shown in base units. */
  decimals: number | null;
  /** The contract's answer by ERC-165; null when it was not asked or gave none. */
  standard: "erc721" | "erc1155" | null;
}

export interface ReadLookup {
  status: LookupStatus;
  source: string;
  to: Address;
  data: Hex;
  /** Return data; null unless found. */
  result: Hex | null;
}

/** What was looked up for the view of an account. */
export interface ViewLookups {
  account: Address;
  /** Prices of tokens in USD at the block, by lower-case address. */
  prices: Record<string, TokenPrice>;
  /** The account's balance of each asset before and after the block. */
  balances: BalanceLookup[];
}

export interface TokenPrice {
  status: LookupStatus;
  /** Where the price is from, e.g. `chainlink:0x7e86…@block` or `coins.llama.fi`. */
  source: string;
  /** USD for one whole token as plain decimal text; null unless found. */
  usd: string | null;
}

/**
 * Balances in base units, as decimal text; null unless found. `before`: at the end of the block before. `after`: at the end of the block.
 */
export interface BalanceLookup {
  status: LookupStatus;
  /** null: ether. */
  token: Address | null;
  before: string | null;
  after: string | null;
}

export interface PriceLookup {
  status: LookupStatus;
  /** Where the price is from, e.g. `chainlink:0x7104…@block`. */
  source: string;
  /** USD for one ETH as a plain decimal; null unless found. */
  eth_usd: string | null;
}
