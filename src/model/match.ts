import type { Address } from "../kernel/address.ts";
import type { Hex } from "../kernel/hex.ts";
import type { CodeAuthorization, Log, Movement, Transaction } from "./transaction.ts";

/** A call that an account makes: the transaction's own call, or one that an unwrapper found inside it. */
export interface ActorCall {
  id: number;
  /** -1 for the transaction's own call. */
  parent: number;
  /** Id of the unwrapper that found it; null for the transaction's own call. */
  via: string | null;
  /** Name of the step, where this is a step of a program, such as a router's command; null for a real call. */
  step: string | null;
  /** msg.sender of the call. */
  from: Address;
  /** The account on whose behalf it is made. It differs from `from` behind multicall contracts. */
  actor: Address;
  to: Address | null;
  value: bigint;
  input: Hex;
  delegate: boolean;
  /**
   * `executed`: the transaction's own call, or confirmed by the call tree. `asserted`: the calldata says so and nothing contradicts it.
   * `failed`: it ran and reverted. `opaque`: it is a step, or holds calls, that could not be read exactly.
   */
  state: "executed" | "asserted" | "failed" | "opaque";
  /** The frame of the call tree that carried it; -1 when there is none. */
  frame: number;
}

/** Net change of one asset for one account over the whole transaction, without gas. */
export interface AssetChange {
  /** `native`, a token address, or `<token>:<id>` for an NFT. */
  key: string;
  kind: "native" | "erc20" | "nft";
  token: Address | null;
  tokenId: bigint | null;
  amount: bigint;
  /** Movements that make it up. */
  movements: number[];
}

/** Net flow of one account: what it gave and what it got, in order of first movement. Amounts are positive. */
export interface BalanceChanges {
  account: Address;
  gives: AssetChange[];
  gets: AssetChange[];
  /** Assets of which it gave as much as it got; their amount is 0. */
  neutral: AssetChange[];
  /** Accounts that received from this one, and that sent to it; each once. */
  recipients: Address[];
  senders: Address[];
  /** Something that it got was created (came from the zero address); something that it gave was destroyed (went there). */
  minted: boolean;
  burned: boolean;
  /** The only change is ether into WETH or back, one to one. */
  wraps: boolean;
  /** False when ether may have moved unseen. */
  complete: boolean;
}

/** Everything that a rule's paths, conditions and captures may read while one candidate is examined. */
export interface MatchContext {
  tx: Transaction;
  subject: Address;
  flow: BalanceChanges;
  log: Log | null;
  call: ActorCall | null;
  move: Movement | null;
  authorization: CodeAuthorization | null;
  /** Decoded arguments of the anchor (event or call). */
  args: readonly unknown[] | null;
  /** Decoded arguments of the second anchor: the call beside an event. */
  input: readonly unknown[] | null;
  legs: readonly (Movement | null)[];
  /** By position of a leg with `many`: all movements that it bound. Left out where the rule has no such leg. */
  legMoves?: readonly (readonly Movement[] | undefined)[];
  /** The contract that the subject finally called, with wrappers taken off. */
  target: Address | null;
  /** While the act is put into words: contracts at which other acts of the account, which are told too, were done. */
  toldAt?: ReadonlySet<Address>;
  /** What the target itself gave and got; null where there is no target. */
  targetFlow(): BalanceChanges | null;
  /** Whether all ether that the subject gave is known, even without a call tree. */
  seesGifts: boolean;
  /** Whether the account of the flow gave something and got nothing, while another account was paid for it. */
  paysElsewhere(flow: BalanceChanges): boolean;
  /** All logs with this topic0, for counts. */
  logsWith(topic: Hex): readonly Log[];
  /** Whether a log was written while its emitter was being created, by the word of a known maker or the call tree. */
  isBirth(log: Log): boolean;
  /**
   * Whether an account may have called a contract itself. False where the evidence shows that it did not. With `known`, true only where the
   * evidence shows that it did.
   */
  mayCall(account: Address, contract: Address, known?: boolean): boolean;
  /** How many logs a contract wrote; undefined for null. */
  logsBy(contract: Address | null): bigint | undefined;
  /** Whether an address passes a rule's gate in this transaction. */
  admits(gate: unknown, address: Address | null): boolean;
}
