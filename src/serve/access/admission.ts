import type { Product } from "./ledger/rows.ts";
import type { Challenge, ResourcePath } from "./payment/offers.ts";
import type { Payment, PaymentReceipt } from "./payment/payment.ts";
import type { Client } from "./quota/client-address.ts";
import type { FreeQuota } from "./quota/free-calls.ts";
import type { PassStanding } from "./quota/pass.ts";

/** Shows that a pass or batch is the buyer's (payment/claim.ts). */
export interface Possession {
  /** With a new payment: SHA-256 of a secret, lower case hex. Only the secret gets the purchase again. */
  claimKey?: string | undefined;
  /** For what was bought with its hash. */
  claimSecret?: string | undefined;
  /** The payer's proof, for what was bought without a hash. */
  claim?: string | undefined;
  /** Came over a proxy that TRUST_PROXY does not name: the address proves nothing. */
  isForwarded?: boolean;
}

export interface PricedCall extends Possession {
  client: Client;
  product: Product;
  resource: ResourcePath;
  /** Such as the hash. A payment is good for this only. */
  request: string;
  /** The answer is dropped a day after it was paid for. */
  isPasted?: boolean;
  passToken?: string | undefined;
  payment?: Payment | undefined;
}

/** Left to the client; in the headers of every answer. */
export interface Quota {
  free: FreeQuota;
  /** Absent: none was shown. */
  pass?: PassStanding;
}

export type Admission = Admitted | Delivery | Challenged;

/** Nobody is charged yet: work, then `commit` or `release`. */
export interface Admitted {
  kind: "admitted";
  via: "free" | "pass" | "payment";
  /** Client, pass or payer: counts work that comes to nothing. */
  worker: Client;
  quota: Quota;
  /** Settles or charges while the answer is sent. Send what it returns, at once. Rejects with ServiceError. */
  commit(body: Buffer): Promise<Delivery | Challenged>;
  /** Gives the call back, settles nothing. `cause` null: not needed here. */
  release(cause: unknown): Promise<Quota>;
}

/** To be sent now. */
export interface Delivery {
  kind: "delivered";
  /** Committed now, or bought by the same payment before. */
  body: Buffer | string;
  /** null: nothing was paid. */
  receipt: PaymentReceipt | null;
  quota: Quota;
}

export interface Challenged {
  kind: "challenged";
  challenge: Challenge;
  quota: Quota;
  /** Until the next request without payment; 0 or absent: now. */
  retryAfterSeconds?: number;
}
