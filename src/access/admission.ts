import type { MaybePromise } from "../kernel/maybe-promise.ts";
import type { FreeStanding } from "./allowance.ts";
import type { Client } from "./client-address.ts";
import type { Product } from "./ledger/rows.ts";
import type { Challenge, Resource } from "./offers.ts";
import type { PassStatus } from "./pass.ts";
import type { Payment } from "./payment.ts";
import type { Receipt } from "./receipt.ts";

/** Who asks for what, and what it offers: the same for every door. */
export interface Visit {
  client: Client;
  product: Product;
  resource: Resource;
  /** What exactly is asked for, such as the transaction hash; a payment is tied to it. */
  request: string;
  passToken?: string | undefined;
  payment?: Payment | undefined;
}

/** Where a client stands, for the headers of whatever answer it gets. */
export interface Standing {
  free: FreeStanding;
  /** Absent when no pass was shown. */
  pass?: { status: PassStatus; remaining?: number };
}

/** Let in: do the work, then commit or release. One of the two must be called. */
export interface Grant {
  kind: "granted";
  via: "free" | "pass" | "payment";
  standing: Standing;
  /** The answer exists: settle what is to be settled. Only what comes back may be delivered. Rejects with ServiceError. */
  commit(body: Buffer): MaybePromise<Delivery | Challenged>;
  /** There is no answer to charge for: the call is given back, the payment is not settled. */
  release(cause: unknown): MaybePromise<Standing>;
}

/** What may now be sent. */
export interface Delivery {
  kind: "delivered";
  /** The body that was committed, or the one that this payment bought before. */
  body: Buffer | string;
  /** null when nothing was paid. */
  receipt: Receipt | null;
  standing: Standing;
}

/** Asked for a payment. */
export interface Challenged {
  kind: "challenged";
  challenge: Challenge;
  standing: Standing;
}
