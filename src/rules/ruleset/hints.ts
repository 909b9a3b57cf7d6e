import type { Address } from "../../kernel/address.ts";
import type { Hex } from "../../kernel/hex.ts";
import type { EventItem } from "../abi/signature.ts";
import type { Template } from "./compile/template.ts";
import type { Gate } from "./compiled.ts";

/** An event that says who paid for gas in a token, and who got it or how much. Numbers are positions of its arguments. */
export interface FeeHint {
  event: EventItem;
  gate: Gate;
  from: number;
  /** null: whoever got exactly `amount` of `token`. */
  to: number | null;
  token: number | null;
  amount: number | null;
  /** Gas in wei, the limit of the payment; null: the amount itself is proven. */
  cost: number | null;
}

/** An event of a known contract that says what its service cost. */
export interface ChargeHint {
  event: EventItem;
  contracts: ReadonlySet<Address>;
  /** The place of the amount, or of a list whose sum it is. */
  amount: readonly number[];
  /** null: ether. */
  token: readonly number[] | null;
}

/** A call of an account failed inside a transaction that did not revert. Positions of arguments. */
export interface FailureEvent {
  event: EventItem;
  /** null: any. */
  contracts: ReadonlySet<Address> | null;
  /** null: the emitter. */
  account: number | null;
  /** False where the call failed; null: the event means a failure. */
  success: number | null;
  /** What the failed call returned. */
  reason: number | null;
  /** In words; may hold `{account}`. */
  what: Template;
}

/** If the token answers a read with another number. */
export interface TokenNote {
  /** The tokens. */
  gate: Gate;
  /** Of the read. */
  data: Hex;
  unless: bigint;
  /** Words behind the token. */
  says: string;
}

/** An event that names the account on whose behalf the transaction ran. */
export interface SubjectHint {
  event: EventItem;
  gate: Gate;
  /** The argument, then the member in each struct. */
  argument: readonly number[];
}
