import type { MaybePromise } from "../../kernel/maybe-promise.ts";
import type { Product } from "./ledger/rows.ts";
import type { Challenge, ResourcePath } from "./payment/offers.ts";
import type { Payment, PaymentReceipt } from "./payment/payment.ts";
import type { Client } from "./quota/client-address.ts";
import type { FreeQuota } from "./quota/free-calls.ts";
import type { PassStanding } from "./quota/pass.ts";

/** How the buyer of a pass or a batch shows that it is his (payment/claim.ts). */
export interface Possession {
  /** With a new payment: the SHA-256 hash of a secret of the buyer, in lower case hex. The secret alone gets the purchase again. */
  claimKey?: string | undefined;
  /** The secret, for what was bought with its hash. */
  claimSecret?: string | undefined;
  /** A proof that the payer asks, for what was bought without such a hash. */
  claim?: string | undefined;
  /** The address proves nothing: the request came over a proxy that TRUST_PROXY does not name. */
  isForwarded?: boolean;
}

/** A call that has a price: what is asked for, who asks, and how the caller wants to pay. */
export interface PricedCall extends Possession {
  client: Client;
  product: Product;
  resource: ResourcePath;
  /** What exactly is asked for, such as the transaction hash. A payment is good for this request only. */
  request: string;
  /** Somebody pasted it: a day after it was paid for, the answer is dropped. */
  isPasted?: boolean;
  passToken?: string | undefined;
  payment?: Payment | undefined;
}

/** What the client has left. Every answer tells it in its headers. */
export interface Quota {
  free: FreeQuota;
  /** Absent when no pass was shown. */
  pass?: PassStanding;
}

/** What the metering decides about a call. */
export type Admission = Admitted | Delivery | Challenged;

/** The call may run, and nobody is charged yet. Run the work, then call either `commit` or `release`. */
export interface Admitted {
  kind: "admitted";
  via: "free" | "pass" | "payment";
  /** Whom the work counts against if it comes to nothing: the client, the pass or the payer. */
  worker: Client;
  quota: Quota;
  /**
   * The work gave this body: settles the payment, or charges the free call or the call of the pass, while the answer is sent. Send
   * only what this returns, and at once. Rejects with ServiceError.
   */
  commit(body: Buffer): MaybePromise<Delivery | Challenged>;
  /** The work gave nothing to charge for: gives the call back and settles no payment. `cause` null: it is not needed here. */
  release(cause: unknown): MaybePromise<Quota>;
}

/** What may now be sent. */
export interface Delivery {
  kind: "delivered";
  /** The committed body, or the one that the same payment bought before. */
  body: Buffer | string;
  /** null: nothing was paid. */
  receipt: PaymentReceipt | null;
  quota: Quota;
}

/** The caller has to pay first. */
export interface Challenged {
  kind: "challenged";
  challenge: Challenge;
  quota: Quota;
  /** Seconds to wait before another request without a payment; 0 or absent: it was not too fast. */
  retryAfterSeconds?: number;
}
