import type { Address } from "../kernel/address.ts";
import type { Hex } from "../kernel/hex.ts";
import type { CodeAuthorization, Log, Movement, Transaction } from "./transaction.ts";

/** The transaction's own call, or one that an unwrapper found. */
export interface ActorCall {
  id: number;
  /** -1 for the transaction's own call. */
  parent: number;
  /** The unwrapper; null for the transaction's own call. */
  via: string | null;
  /** Of a program, such as a router's command; null for a real call. */
  step: string | null;
  /** msg.sender. */
  from: Address;
  /** On whose behalf; differs from `from` behind multicall contracts. */
  actor: Address;
  to: Address | null;
  value: bigint;
  input: Hex;
  delegate: boolean;
  /**
   * `executed`: the transaction's own, or confirmed by the call tree. `asserted`: the calldata says so, nothing contradicts. `failed`:
   * reverted. `opaque`: could not be read exactly.
   */
  state: "executed" | "asserted" | "failed" | "opaque";
  /** In the call tree; -1: none. */
  frame: number;
}

/** Net, of one account over the transaction, without gas. */
export interface AssetChange {
  /** `native`, a token address, or `<token>:<id>` for an NFT. */
  key: string;
  kind: "native" | "erc20" | "nft";
  token: Address | null;
  tokenId: bigint | null;
  amount: bigint;
  movements: number[];
}

/** Net flow of one account, in order of first movement. Amounts are positive. */
export interface BalanceChanges {
  account: Address;
  gives: AssetChange[];
  gets: AssetChange[];
  /** Gave as much as it got; amount 0. */
  neutral: AssetChange[];
  /** Each once. */
  recipients: Address[];
  senders: Address[];
  /** Came from the zero address; went there. */
  minted: boolean;
  burned: boolean;
  /** Only ether into WETH or back, one to one. */
  wraps: boolean;
  /** False: ether may have moved unseen. */
  complete: boolean;
}

/** What a rule's paths, conditions and captures read of one candidate. */
export interface MatchContext {
  tx: Transaction;
  subject: Address;
  flow: BalanceChanges;
  log: Log | null;
  call: ActorCall | null;
  move: Movement | null;
  authorization: CodeAuthorization | null;
  /** Of the anchor (event or call), decoded. */
  args: readonly unknown[] | null;
  /** Of the call beside an event. */
  input: readonly unknown[] | null;
  legs: readonly (Movement | null)[];
  /** By position of a leg with `many`. */
  legMoves?: readonly (readonly Movement[] | undefined)[];
  /** The contract finally called, without wrappers. */
  target: Address | null;
  /** While wording: contracts at which other stated acts of the account were done. */
  toldAt?: ReadonlySet<Address>;
  /** null where there is no target. */
  targetFlow(): BalanceChanges | null;
  /** All ether that the subject gave is known, even without a call tree. */
  seesGifts: boolean;
  /** The account gave something and got nothing, while another was paid for it. */
  paysElsewhere(flow: BalanceChanges): boolean;
  /** For counts. */
  logsWith(topic: Hex): readonly Log[];
  /** Written while its emitter was created, by a known maker or the call tree. */
  isBirth(log: Log): boolean;
  /** False where the evidence excludes a direct call. With `known`, true only where the evidence shows one. */
  mayCall(account: Address, contract: Address, known?: boolean): boolean;
  /** Undefined for null. */
  logsBy(contract: Address | null): bigint | undefined;
  /** A rule's gate in this transaction. */
  admits(gate: unknown, address: Address | null): boolean;
}
