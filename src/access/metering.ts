import { ServiceError } from "../kernel/error.ts";
import { andThen, type MaybePromise } from "../kernel/maybe-promise.ts";
import type { Product } from "./ledger/ledger.ts";
import type { Challenge, Offers, ResourcePath } from "./payment/offers.ts";
import type { Paid, Payment, PaymentReceipt, Reason } from "./payment/payment.ts";
import type { Purchases } from "./payment/purchase.ts";
import type { Client } from "./quota/client-address.ts";
import type { FreeCalls, FreeQuota } from "./quota/free-calls.ts";
import type { PassCall, Passes, PassStatus } from "./quota/pass.ts";
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
  pass?: { status: PassStatus; remaining?: number };
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
  const { passes, freeCalls, rateLimit, usage } = options;
  return {
    /** Call this before anything else is done for a client. Throws ServiceError `rate_limited`. */
    checkRate(client: Client): void {
      const retryAfterSeconds = rateLimit.wait(client);
      if (retryAfterSeconds === 0) return;
      usage.add("refused");
      throw new ServiceError("rate_limited", undefined, { retryAfterSeconds });
    },
    /**
     * Decides by the pass, then the payment, then the free calls. A payment that was settled before gives its answer without
     * work. Rejects with ServiceError `payments_unavailable`, `settlement_pending` or `ledger_unavailable`.
     */
    admit(call: PricedCall): MaybePromise<Admission> {
      if (call.passToken === undefined || call.product === "pass") return admitWithoutPass(options, call);
      return andThen(passes.use(call.passToken), (use) => {
        if (use.status === "valid") return admitByPass(options, call, use.call);
        // A token has 256 random bits, so guessing is hopeless. The rate limit still counts the attempts.
        if (use.status === "unknown") rateLimit.spend(call.client);
        return admitWithoutPass(options, call, { status: use.status });
      });
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

/** `pass`: the pass that was shown and cannot be used. */
function admitWithoutPass(options: MeteringOptions, call: PricedCall, pass?: PassQuota): MaybePromise<Admission> {
  if (call.payment !== undefined) return admitPaying(options, { ...call, payment: call.payment }, pass);
  if (call.product === "pass") return challenge(options, call, { pass, reason: "payment_required" });
  return admitFree(options, call, pass);
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

function admitFree(options: MeteringOptions, call: PricedCall, pass: PassQuota): MaybePromise<Admission> {
  return andThen(options.freeCalls.take(call.client), (taken): MaybePromise<Admission> => {
    if (taken === null) return challenge(options, call, { pass, reason: "free_allowance_used" });
    return admitTaken(options.usage, {
      via: "free",
      quota: quotaOf(taken.quota, pass),
      release: () => andThen(taken.giveBack(), (free) => quotaOf(free, pass)),
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
