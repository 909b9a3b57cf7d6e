import type { Address } from "../kernel/address.ts";
import type { Hex } from "../kernel/hex.ts";
import type { CodeAuthorization, Log, Movement, Transaction } from "./transaction.ts";

/** A call that somebody makes on their own behalf: the transaction's own, or one that an unwrapper found inside it. */
export interface ActorCall {
  id: number;
  /** -1 for the transaction's own call. */
  parent: number;
  /** Id of the unwrapper that found it; null for the transaction's own call. */
  via: string | null;
  /** Name of the step of the caller's program that this is, e.g. of a router's command; null for a real call. */
  step: string | null;
  /** msg.sender of the call. */
  from: Address;
  /** On whose behalf it is made: differs from `from` behind multicall contracts. */
  actor: Address;
  to: Address | null;
  value: bigint;
  input: Hex;
  delegate: boolean;
  /**
   * `executed`: the transaction's own call, or confirmed by the call tree. `asserted`: the calldata says so and nothing contradicts it.
   * `failed`: ran and reverted. `opaque`: holds calls, or is a step, that could not be read exactly.
   */
  state: "executed" | "asserted" | "failed" | "opaque";
  /** The frame of the call tree that carried it; -1 when there is none. */
  frame: number;
}

/** Net change of one asset for one account over the transaction. Gas is not part of it. */
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
  /** What it gave as much of as it got: the amount is 0. */
  neutral: AssetChange[];
  /** Distinct accounts that received from, and sent to, this one. */
  recipients: Address[];
  senders: Address[];
  /** Something that it got was created, or something that it gave was destroyed: from or to the zero address. */
  minted: boolean;
  burned: boolean;
  /** All that changed is ether into WETH or back, one to one. */
  wraps: boolean;
  /** False when native ether may have moved unseen. */
  complete: boolean;
}

/** What a rule's paths, conditions and captures read while one candidate is examined. */
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
  /** The contract that the subject called in the end, with wrappers taken off. */
  target: Address | null;
  /** What that contract gave and got itself; null where there is none. */
  targetFlow(): BalanceChanges | null;
  /** Without a call tree: all ether that the subject gave is known all the same. */
  seesGifts: boolean;
  /** Whether what the flow's account gave was paid for to somebody else. */
  paysElsewhere(flow: BalanceChanges): boolean;
  /** All logs with this topic0, for counts. */
  logsWith(topic: Hex): readonly Log[];
  /** Whether a log was written while its emitter came into being, as a known maker or the call tree says. */
  isBirth(log: Log): boolean;
  /** False where it is seen that an account did not call a contract itself; with `known` also where it is not seen that it did. */
  mayCall(account: Address, contract: Address, known?: boolean): boolean;
  /** How many logs a contract wrote; undefined where there is no contract. */
  logsBy(contract: Address | null): bigint | undefined;
  /** Whether an address passes a rule's gate in this transaction. */
  admits(gate: unknown, address: Address | null): boolean;
}
