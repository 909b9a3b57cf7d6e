import { ServiceError } from "../kernel/error.ts";
import { andThen, type MaybePromise } from "../kernel/maybe-promise.ts";
import type { Product } from "./ledger/ledger.ts";
import type { Challenge, Offers, ResourcePath } from "./payment/offers.ts";
import type { Paid, Payment, PaymentReceipt, Reason } from "./payment/payment.ts";
import type { Purchases } from "./payment/purchase.ts";
import type { Client } from "./quota/client-address.ts";
import type { FreeCalls, FreeQuota } from "./quota/free-calls.ts";
import type { PassCall, Passes, PassStanding } from "./quota/pass.ts";
import type { RateLimit } from "./quota/rate-limit.ts";
import type { UsageMetrics } from "./usage-metrics.ts";

/** A call that has a price: what is asked for, who asks, and how the caller wants to pay. */
export interface PricedCall {
  client: Client;
  product: Product;
  resource: ResourcePath;
  /** What exactly is asked for, such as the transaction hash. A payment is good for this request only. */
  request: string;
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

/** The call may run. Run the work, then call either `commit` or `release`. */
export interface Admitted {
  kind: "admitted";
  via: "free" | "pass" | "payment";
  quota: Quota;
  /** The work gave this body: settles the payment, if there is one. Send only what this returns. Rejects with ServiceError. */
  commit(body: Buffer): MaybePromise<Delivery | Challenged>;
  /** The work gave nothing to charge for: gives the call back and settles no payment. */
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
}

/** The only place that decides whether a call may run. */
export type Metering = ReturnType<typeof createMetering>;

export interface MeteringOptions {
  offers: Offers;
  passes: Passes;
  freeCalls: FreeCalls;
  purchases: Purchases;
  rateLimit: RateLimit;
  usage: UsageMetrics;
  /** The terms of a pass that is bought now, as JSON. */
  passTerms: string;
}

type PassQuota = Quota["pass"];
type Unpaid = Pick<PricedCall, "client" | "product" | "resource">;

export function createMetering(options: MeteringOptions) {
  const { freeCalls, rateLimit, usage } = options;
  return {
    /** Call this before anything else is done for a client. Throws ServiceError `rate_limited`. */
    checkRate(client: Client): void {
      const retryAfterSeconds = rateLimit.wait(client);
      if (retryAfterSeconds === 0) return;
      usage.add("refused");
      throw new ServiceError("rate_limited", undefined, { retryAfterSeconds });
    },
    /**
     * Decides by the free calls, then the pass, then the payment, so that nothing is charged while a call is free. Only a payment
     * that is under way or settled comes first: it is followed to its end, and gives its answer without work. Rejects with
     * ServiceError `payments_unavailable`, `settlement_pending` or `ledger_unavailable`.
     */
    admit(call: PricedCall): MaybePromise<Admission> {
      if (call.product === "pass") return admitPaid(options, call);
      return andThen(lookAtPass(options, call), (pass) =>
        andThen(isUnderWay(options, call), (known) =>
          known ? admitPaid(options, call, pass) : admitFree(options, call, pass),
        ),
      );
    },
    /** Tells the price to a client that offers nothing. Counts against the rate limit only. */
    quote: (call: Unpaid) => challenge(options, call, { reason: "payment_required" }),
    /** What the client has left, for answers without an admission. */
    quota: (client: Client) => andThen(freeCalls.read(client), (free) => quotaOf(free)),
    /** Notes an answer that was not charged. A failure that the client caused counts against its rate limit. */
    noteFailure(client: Client, failure: ServiceError): void {
      if (failure.code === "invalid_payment") usage.add("refused");
      if (failure.status < 500 && failure.code !== "rate_limited") rateLimit.spend(client);
    },
  };
}

/** The state of the pass that is shown, if there is one. Nothing is taken from it. */
function lookAtPass(
  { passes, rateLimit }: MeteringOptions,
  { client, passToken }: PricedCall,
): MaybePromise<PassQuota> {
  if (passToken === undefined) return undefined;
  return andThen(passes.look(passToken), (pass) => {
    // A token has 256 random bits, so guessing is hopeless. The rate limit still counts the attempts.
    if (pass.status === "unknown") rateLimit.spend(client);
    return pass;
  });
}

function isUnderWay({ purchases }: MeteringOptions, { payment, ...call }: PricedCall): MaybePromise<boolean> {
  return payment === undefined ? false : purchases.knows({ ...call, payment });
}

/** Admits by a free call. If none is left: by the pass, else by the payment. */
function admitFree(options: MeteringOptions, call: PricedCall, pass: PassQuota): MaybePromise<Admission> {
  return andThen(options.freeCalls.take(call.client), (taken): MaybePromise<Admission> => {
    if (taken === null) return admitCharged(options, call, pass);
    return admitTaken(options.usage, {
      via: "free",
      quota: quotaOf(taken.quota, pass),
      release: () => andThen(taken.giveBack(), (free) => quotaOf(free, pass)),
    });
  });
}

function admitCharged(options: MeteringOptions, call: PricedCall, pass: PassQuota): MaybePromise<Admission> {
  if (call.passToken === undefined || pass?.status !== "valid") return admitPaid(options, call, pass);
  return andThen(options.passes.use(call.passToken), (use) => {
    if (use.status === "valid") return admitByPass(options, call, use.call);
    // Another call took the last one a moment ago.
    return admitPaid(options, call, { status: use.status });
  });
}

/** Admits by the payment, or asks for one. */
function admitPaid(options: MeteringOptions, call: PricedCall, pass?: PassQuota): MaybePromise<Admission> {
  if (call.payment !== undefined) return admitPaying(options, { ...call, payment: call.payment }, pass);
  return challenge(options, call, {
    pass,
    reason: call.product === "pass" ? "payment_required" : "free_allowance_used",
  });
}

function admitByPass(options: MeteringOptions, { client }: PricedCall, taken: PassCall): MaybePromise<Admitted> {
  return andThen(options.freeCalls.read(client), (free) => {
    const quota = (remaining: number) => quotaOf(free, { status: "valid", remaining });
    return admitTaken(options.usage, {
      via: "pass",
      quota: quota(taken.remaining),
      release: () => andThen(taken.giveBack(), quota),
    });
  });
}

/** The free call or the call of the pass is taken already. Committing only counts it. */
function admitTaken(
  usage: UsageMetrics,
  { via, quota, release }: Omit<Admitted, "kind" | "commit"> & { via: "free" | "pass" },
): Admitted {
  return {
    kind: "admitted",
    via,
    quota,
    release,
    commit(body) {
      usage.add(via);
      return { kind: "delivered", body, receipt: null, quota };
    },
  };
}

function challenge(
  { freeCalls, usage, offers, rateLimit }: MeteringOptions,
  { client, product, resource }: Unpaid,
  { pass, reason }: { pass?: PassQuota; reason: Reason },
): MaybePromise<Challenged> {
  usage.add("challenged");
  rateLimit.spend(client);
  return andThen(freeCalls.read(client), (free) => ({
    kind: "challenged",
    challenge: offers.challenge(product, resource, [...reasonsOf(pass), reason]),
    quota: quotaOf(free, pass),
  }));
}

async function admitPaying(
  { freeCalls, usage, offers, passTerms, purchases, rateLimit }: MeteringOptions,
  { client, payment, product, request, resource }: PricedCall & { payment: Payment },
  pass: PassQuota,
): Promise<Admission> {
  const quota = quotaOf(await freeCalls.read(client), pass);
  const refuse = (reason: Reason): Challenged => {
    usage.add("refused");
    return { kind: "challenged", challenge: offers.challenge(product, resource, [...reasonsOf(pass), reason]), quota };
  };
  const deliver = ({ answer, receipt }: Paid): Delivery => {
    rateLimit.refund(client);
    usage.add("paid");
    return { kind: "delivered", body: answer, receipt, quota };
  };

  // Spend first. Otherwise many bad payments at once would all be verified before the first one counts.
  rateLimit.spend(client);
  const refund = (cause: unknown): never => {
    rateLimit.refund(client);
    throw cause;
  };
  const purchase = await purchases.begin({ product, resource, request, payment }).catch(refund);
  if (purchase.kind === "refused") return refuse(purchase.reason);
  if (purchase.kind === "paid") return deliver(purchase);
  const commit = async (answer: string): Promise<Delivery | Challenged> => {
    const result = await purchase.commit(answer).catch(refund);
    return result.kind === "paid" ? deliver(result) : refuse(result.reason);
  };
  if (product === "pass") return commit(passTerms);
  const release = (cause: unknown) => {
    rateLimit.refund(client);
    purchase.release(cause);
    return quota;
  };
  return { kind: "admitted", via: "payment", quota, commit: (body) => commit(body.toString()), release };
}

function quotaOf(free: FreeQuota, pass?: PassQuota): Quota {
  return pass === undefined ? { free } : { free, pass };
}

/** Why the pass cannot be used. */
function reasonsOf(pass: PassQuota): Reason[] {
  return pass === undefined || pass.status === "valid" ? [] : [`pass_${pass.status}`];
}
