import type { Address } from "../../kernel/address.ts";
import type { Hex } from "../../kernel/hex.ts";
import type { EventItem } from "../abi/signature.ts";
import type { Template } from "./compile/template.ts";
import type { Gate } from "./compiled.ts";

/**
 * An event that tells which account paid for gas in a token, and who got it or how much. Numbers are positions of the event's arguments.
 */
export interface FeeHint {
  event: EventItem;
  gate: Gate;
  from: number;
  /** Who got the payment; null: the account that got exactly `amount` of `token`. */
  to: number | null;
  token: number | null;
  amount: number | null;
  /** The cost of the gas in wei, which limits how much may have been paid for it; null: the amount itself is proven. */
  cost: number | null;
}

/**
 * An event that tells that a call of an account failed inside a transaction that did not revert. Numbers are positions of the event's
 * arguments.
 */
export interface FailureEvent {
  event: EventItem;
  /** null: any contract. */
  contracts: ReadonlySet<Address> | null;
  /** null: the emitter itself. */
  account: number | null;
  /** The argument that is false where the call failed; null: the event itself means a failure. */
  success: number | null;
  /** The argument that holds what the failed call returned; null: none does. */
  reason: number | null;
  /** What failed, in words; may hold `{account}`. */
  what: Template;
}

/** What a preview notes about a token, if the token's answer to a read is another number. */
export interface TokenNote {
  /** The tokens. */
  gate: Gate;
  /** The calldata of the read. */
  data: Hex;
  unless: bigint;
  /** What it means, in words behind the token. */
  says: string;
}

/** An event that names the account on whose behalf the transaction ran. */
export interface SubjectHint {
  event: EventItem;
  gate: Gate;
  /** The position of the argument, then of the member in each struct. */
  argument: readonly number[];
}
