import type { EventItem } from "../abi/signature.ts";
import type { Address } from "../kernel/address.ts";
import type { Template } from "./compile/template.ts";
import type { Gate } from "./compiled.ts";

/** An event that tells which account paid for gas in a token, and to whom or how much. Argument places of the event. */
export interface FeeHint {
  event: EventItem;
  gate: Gate;
  from: number;
  /** null: whoever got exactly the amount. */
  to: number | null;
  token: number | null;
  amount: number | null;
  /** The gas in wei, which bounds what may have been paid for it; null where the amount itself is proven. */
  cost: number | null;
}

/** An event that tells that the call of an account failed inside a transaction that stands. Argument places of the event. */
export interface FailureEvent {
  event: EventItem;
  /** null: any contract. */
  contracts: ReadonlySet<Address> | null;
  /** null: the emitter itself. */
  account: number | null;
  /** The argument that is false where the call failed; null: the event alone says so. */
  success: number | null;
  /** The argument that holds what the failed call returned; null: none does. */
  reason: number | null;
  /** What failed, with `{account}`. */
  what: Template;
}

/** An event that names the account on whose behalf the transaction ran. */
export interface SubjectHint {
  event: EventItem;
  gate: Gate;
  /** The place of the argument, then of the member of each struct around it. */
  argument: readonly number[];
}
