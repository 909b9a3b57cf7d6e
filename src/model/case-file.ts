import type { Address } from "../kernel/address.ts";
import type { Hash, Hex } from "../kernel/hex.ts";
import type { RiskLookups } from "./risk-lookups.ts";

/**
 * Everything gathered about one transaction (schemas/case.schema.json): `record` writes it, `replay` reads it. The explanation is a pure
 * function of it, the rules and the labels. RPC objects stay as JSON-RPC gave them (hex quantities), without unread fields.
 */
export interface CaseFile {
  version: 2;
  chain_id: number;
  tx_hash: Hash;
  /** ISO 8601 in UTC. The stages never read it. */
  gathered_at: string;
  /** `eth_getTransactionByHash` */
  transaction: RpcTransaction;
  /** `eth_getTransactionReceipt` */
  receipt: RpcReceipt;
  block: { number: Hex; hash?: Hex; timestamp?: Hex };
  trace: Trace;
  /** By lower-case address. Listed tokens are not looked up. */
  tokens: Record<string, TokenLookup>;
  /** At the transaction's block: prove members of a protocol. */
  reads: ReadLookup[];
  price: PriceLookup;
  /** Absent when no view was asked for. */
  view?: ViewLookups;
  /** Absent when none were made, or the case file is older. */
  risk?: RiskLookups;
  /** Only of a preview: not signed, and `block` is where it was simulated. */
  simulation?: Simulation;
}

export interface Simulation {
  /** `none`: only the calldata is known, and the receipt means nothing. */
  method: SimulationMethod;
  /** With a gas price, a gas limit and a block, like a real transaction. */
  priced: boolean;
  /** Whether a run without these ended differently; null: no second run. */
  differs: boolean | null;
  /** `missing`: the endpoint does not have the method. */
  unavailable: { method: Exclude<SimulationMethod, "none">; reason: "missing" | "failed" }[];
  /** Why the next block cannot have it; null: no reason is known. */
  refusal: RefusalReason | null;
}

/**
 * `funds`: value and fee exceed the balance. `nonce_low`, `nonce_high`: not the next nonce. `gas_low`: below the cost before code runs.
 * `gas_high`: above a block's. `fee_low`: below the base fee. `code_size`: code to create is too large. `sender_code`: the sender is a
 * contract. `other`: another reason of the node.
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

/** `authority`: who will sign it, where it is not signed yet. */
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

/** As geth's callTracer; other sources are converted. */
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

/** An ether movement in a list without a call tree. */
export interface InternalTransfer {
  type: string;
  from: string;
  to: string | null;
  value: string;
  success: boolean;
  /** How many logs come before it; absent where the list does not say. */
  logs_before?: number;
}

export type Trace =
  | { source: "debug_traceTransaction" | "trace_transaction" | "debug_traceCall" | "eth_simulateV1"; root: RpcFrame }
  /** `provider`: a host or an RPC method. */
  | { source: "internal_transfers"; provider: string; internal_transfers: InternalTransfer[] }
  | { source: "none"; reason: string };

/** One explorer was the only source of internal transfers. */
export interface CaseFileV1 extends Omit<CaseFile, "version" | "trace"> {
  version: 1;
  trace: Exclude<Trace, { source: "internal_transfers" }> | { source: "blockscout"; internal: InternalTransfer[] };
}

/** Does not change `file`. */
export function upgradeCase(file: CaseFile | CaseFileV1): CaseFile {
  if (file.version === 2) return file;
  const { trace } = file;
  if (!("internal" in trace)) return { ...file, version: 2, trace };
  const listed = { provider: trace.source, internal_transfers: trace.internal };
  return { ...file, version: 2, trace: { source: "internal_transfers", ...listed } };
}

/**
 * `absent`: the source answered that there is nothing. `unavailable`: no answer; a retry may succeed. `inconclusive`: not enough to decide.
 */
export type LookupStatus = "found" | "absent" | "unavailable" | "inconclusive";

export interface TokenLookup {
  status: LookupStatus;
  source: string;
  /** UTF-8 with U+FFFD for invalid bytes; null: no answer. An attacker may have chosen the text. */
  symbol: string | null;
  name: string | null;
  /** null: no answer; amounts are then in base units. */
  decimals: number | null;
  /** By ERC-165; null: not asked, or no answer. */
  standard: "erc721" | "erc1155" | null;
}

export interface ReadLookup {
  status: LookupStatus;
  source: string;
  to: Address;
  data: Hex;
  /** null unless found. */
  result: Hex | null;
}

export interface ViewLookups {
  account: Address;
  /** By lower-case address, at the block. */
  prices: Record<string, TokenPrice>;
  balances: BalanceLookup[];
}

export interface TokenPrice {
  status: LookupStatus;
  /** E.g. `chainlink:0x7e86…@block` or `coins.llama.fi`. */
  source: string;
  /** USD for a whole token, plain decimal; null unless found. */
  usd: string | null;
}

/** Base units, decimal text; null unless found. At the end of the block before, and of the block. */
export interface BalanceLookup {
  status: LookupStatus;
  /** null: ether. */
  token: Address | null;
  before: string | null;
  after: string | null;
}

export interface PriceLookup {
  status: LookupStatus;
  /** As of {@link TokenPrice}. */
  source: string;
  /** USD, plain decimal; null unless found. */
  eth_usd: string | null;
}
