import type { ServiceError } from "../kernel/error.ts";
import { andThen, type MaybePromise } from "../kernel/maybe-promise.ts";
import type { Admission, Admitted, Challenged, Delivery, PricedCall, Quota } from "./admission.ts";
import type { Offers } from "./payment/offers.ts";
import type { Paid, Payment, Reason } from "./payment/payment.ts";
import type { Purchases } from "./payment/purchase.ts";
import type { Client } from "./quota/client-address.ts";
import type { FreeCalls, FreeQuota } from "./quota/free-calls.ts";
import type { Passes } from "./quota/pass.ts";
import { checkRate, countFailure, countUnsent, type RateLimit, refundFailure } from "./quota/rate-limit.ts";
import type { UsageMetrics } from "./usage-metrics.ts";

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
      if (rateLimit.wait(client) === 0) return;
      usage.add("refused");
      checkRate(rateLimit, client);
    },
    /**
     * Admits a call by the free calls, then the pass, then the payment, so that nothing is charged while a call is free. Only a payment
     * that is settled or being settled comes first: it is followed to its end, and gives its answer without new work. Rejects with
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
    /**
     * Charges a free call to a client that offers neither a pass nor a payment, for an answer that is known already, so that no call needs
     * to be held. null: none is left. Rejects with ServiceError `ledger_unavailable`.
     */
    chargeFree(client: Client): MaybePromise<Quota | null> {
      return andThen(freeCalls.charge(client), (free) => {
        if (free === null) return null;
        usage.add("free");
        return quotaOf(free);
      });
    },
    /** Gives the price to a client that offers nothing. Counts only against the rate limit. */
    quote: (call: Unpaid) => challenge(options, call, { reason: "payment_required" }),
    /** What the client has left, for answers without an admission. */
    quota: (client: Client) => andThen(freeCalls.read(client), (free) => quotaOf(free)),
    /** Notes an answer that was not charged; see {@link countFailure}. */
    noteFailure(client: Client, failure: ServiceError): void {
      if (failure.code === "invalid_payment") usage.add("refused");
      countFailure(rateLimit, client, failure);
    },
    /** Notes lines of a batch that were worked on for nothing; see {@link countUnsent}. */
    noteUnsent: (client: Client, lines: number) => countUnsent(rateLimit, client, lines),
    /** Notes an answer that the client has already, so that it costs nothing. */
    noteHeld: (client: Client) => rateLimit.spend(client),
  };
}

/** The state of the pass that the caller shows, if any. Takes no call from it. */
export function lookAtPass(
  { passes, rateLimit }: Pick<MeteringOptions, "passes" | "rateLimit">,
  { client, passToken }: Pick<PricedCall, "client" | "passToken">,
): MaybePromise<PassQuota> {
  if (passToken === undefined) return undefined;
  return andThen(passes.look(passToken), (pass) => {
    // A token has 256 random bits, so guessing is hopeless. The rate limit still counts the attempts.
    if (pass.status === "unknown") rateLimit.spend(client);
    return pass;
  });
}

function isUnderWay({ purchases }: MeteringOptions, call: PricedCall): MaybePromise<boolean> {
  const { payment } = call;
  return payment === undefined ? false : purchases.knows({ ...call, payment });
}

/** Admits by a free call. If none is left: by the pass, else by the payment. */
function admitFree(options: MeteringOptions, call: PricedCall, pass: PassQuota): MaybePromise<Admission> {
  return andThen(options.freeCalls.take(call.client), ({ quota: free, call: taken }): MaybePromise<Admission> => {
    if (taken === null) return admitCharged(options, call, { free, pass });
    return admitTaken(options.usage, {
      via: "free",
      quota: quotaOf(free, pass),
      charge: taken.charge,
      release: () => andThen(taken.giveBack(), (left) => quotaOf(left, pass)),
    });
  });
}

/** Admits by the pass or the payment. No free call is left, so free calls are not checked again. */
function admitCharged(
  options: MeteringOptions,
  call: PricedCall,
  { free, pass }: { free: FreeQuota; pass: PassQuota },
): MaybePromise<Admission> {
  if (call.passToken === undefined || pass?.status !== "valid") return admitPaid(options, call, pass);
  return andThen(options.passes.use(call.passToken), (use): MaybePromise<Admission> => {
    // Another call took the last one a moment ago.
    if (use.status !== "valid") return admitPaid(options, call, { status: use.status });
    const quota = (remaining: number) => quotaOf(free, { status: "valid", remaining });
    return admitTaken(options.usage, {
      via: "pass",
      quota: quota(use.call.remaining),
      charge: use.call.charge,
      release: () => andThen(use.call.giveBack(), quota),
    });
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

/** Admits by a free call or a call of the pass, which is held for this request. Committing charges it. */
function admitTaken(
  usage: UsageMetrics,
  held: Omit<Admitted, "kind" | "commit"> & { via: "free" | "pass"; charge: () => void },
): Admitted {
  const { via, quota, charge, release } = held;
  return {
    kind: "admitted",
    via,
    quota,
    release,
    commit(body) {
      charge();
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
  { client, payment, product, request, resource, claim }: PricedCall & { payment: Payment },
  pass: PassQuota,
): Promise<Admission> {
  const quota = quotaOf(await freeCalls.read(client), pass);
  const refuse = (reason: Reason): Challenged => {
    usage.add("refused");
    return { kind: "challenged", challenge: offers.challenge(product, resource, [...reasonsOf(pass), reason]), quota };
  };
  const deliver = ({ answer, receipt }: Paid): Delivery => ({ kind: "delivered", body: answer, receipt, quota });

  // Counted first. Otherwise many bad payments at once would all be verified before the first one counts. An answer that was bought before
  // is sent again without a charge, so it counts too.
  rateLimit.spend(client);
  const refund = refundFailure(rateLimit, client);
  const purchase = await purchases.begin({ product, resource, request, payment, client, claim }).catch(refund);
  if (purchase.kind === "refused") return refuse(purchase.reason);
  if (purchase.kind === "paid") return deliver(purchase);
  const commit = async (answer: string): Promise<Delivery | Challenged> => {
    const result = await purchase.commit(answer).catch(refund);
    if (result.kind === "refused") return refuse(result.reason);
    rateLimit.refund(client);
    return deliver(result);
  };
  if (product === "pass") return commit(passTerms);
  const release = (cause: unknown) => {
    rateLimit.refund(client);
    purchase.release(cause);
    return quota;
  };
  return { kind: "admitted", via: "payment", quota, commit: (body) => commit(body.toString()), release };
}

export function quotaOf(free: FreeQuota, pass?: PassQuota): Quota {
  return pass === undefined ? { free } : { free, pass };
}

/** Why the pass cannot be used. */
export function reasonsOf(pass: PassQuota): Reason[] {
  return pass === undefined || pass.status === "valid" ? [] : [`pass_${pass.status}`];
}
