import { ServiceError } from "../../kernel/error.ts";
import type { Admission, Admitted, Challenged, Delivery, PricedCall, Quota } from "./admission.ts";
import type { Offers } from "./payment/offers.ts";
import type { Paid, Payment, Reason } from "./payment/payment.ts";
import type { Purchases } from "./payment/purchase.ts";
import type { Client } from "./quota/client-address.ts";
import type { FreeCalls, FreeQuota } from "./quota/free-calls.ts";
import type { Passes } from "./quota/pass.ts";
import {
  beginCounted,
  type ClientLimits,
  checkRate,
  countFailure,
  countUnpaid,
  countUnsent,
  countWork,
  passAsClient,
  payerAsClient,
  refundFailure,
} from "./quota/rate-limit.ts";
import { lookAtPass, type PassQuota, reasonsOf, workerOf } from "./quota/shown-pass.ts";
import type { UsageMetrics } from "./usage-metrics.ts";

/** Alone decides whether a call may run. */
export type Metering = ReturnType<typeof createMetering>;

export interface MeteringOptions {
  offers: Offers;
  passes: Passes;
  freeCalls: FreeCalls;
  purchases: Purchases;
  limits: ClientLimits;
  usage: UsageMetrics;
  /** JSON; of a pass bought now. */
  passTerms: string;
}

type Unpaid = Pick<PricedCall, "client" | "product" | "resource">;

export function createMetering(options: MeteringOptions) {
  const { freeCalls, limits, usage } = options;
  return {
    /**
     * By free calls, then pass, then payment: nothing is charged while a call is free. Only a payment that is settled or being settled
     * comes first: it gives its answer without new work. Rejects with ServiceError `payments_unavailable`, `settlement_pending`,
     * `ledger_unavailable`, or `rate_limited` where too much work or too many payments came to nothing.
     */
    async admit(call: PricedCall): Promise<Admission> {
      if (call.product === "pass") {
        await checkBuyer(options, call);
        return admitPaid(options, call);
      }
      const pass = await lookAtPass(options, call);
      return (await isUnderWay(options, call)) ? admitPaid(options, call, pass) : admitFree(options, call, pass);
    },
    /**
     * For a known answer, without pass and payment: nothing is held. null: none is left. Rejects with ServiceError `ledger_unavailable`.
     */
    async chargeFree(client: Client): Promise<Quota | null> {
      if (recallSpent(options, client) !== undefined) return null;
      const free = await freeCalls.charge(client);
      if (free === null) return null;
      usage.add("free");
      return quotaOf(free);
    },
    /**
     * `refusal`: told while a call is free, as asking for nothing is a mistake then; null: it asked for the price on purpose. Rejects
     * with it.
     */
    async quote(call: Unpaid, refusal: ServiceError | null): Promise<Challenged> {
      const free = recallSpent(options, call.client) ?? (await freeCalls.read(call.client));
      if (refusal !== null && free.remaining > 0) throw refusal;
      return challenge(options, call, { free, reason: "payment_required" });
    },
    /** For answers without admission. */
    quota: async (client: Client) => quotaOf(await freeCalls.read(client)),
    /** See {@link countFailure}. */
    noteFailure(client: Client, failure: ServiceError, worker?: Client): void {
      if (failure.code === "invalid_payment" || failure.code === "rate_limited") usage.add("refused");
      countFailure(limits, client, failure, worker);
    },
    /** See {@link countUnsent}. */
    noteUnsent: (worker: Client, lines: number) => countUnsent(limits.work, worker, lines),
    /** See {@link countWork}. Throws ServiceError `rate_limited`. */
    beginWork: (worker: Client) => countWork(limits.work, worker),
    /** Has it already: free. */
    noteHeld: (worker: Client) => limits.work.spend(worker),
  };
}

/** Of who asks too fast without paying; costs the ledger nothing. */
function recallSpent({ limits, freeCalls }: MeteringOptions, client: Client): FreeQuota | undefined {
  return limits.mistakes.wait(client) === 0 ? undefined : freeCalls.recallSpent(client);
}

async function isUnderWay({ purchases }: MeteringOptions, call: PricedCall): Promise<boolean> {
  const { payment } = call;
  return payment !== undefined && purchases.knows({ ...call, payment });
}

/**
 * Over an untrusted proxy a buyer could not be told from others there. A pass sold already goes to who proves it is his. Throws and rejects
 * with ServiceError `untrusted_forwarding`.
 */
async function checkBuyer(options: MeteringOptions, call: PricedCall): Promise<void> {
  if (call.isForwarded === true && !(await isUnderWay(options, call))) throw new ServiceError("untrusted_forwarding");
}

async function admitFree(options: MeteringOptions, call: PricedCall, pass: PassQuota): Promise<Admission> {
  const { freeCalls, limits } = options;
  const worker = workerOf(call, pass);
  const spent = recallSpent(options, call.client);
  if (spent !== undefined) return admitCharged(options, call, { free: spent, pass });
  if (limits.work.wait(worker) > 0) {
    const free = await freeCalls.read(call.client);
    // Without a free call the price is told, however much was asked before.
    if (free.remaining > 0) checkRate(limits.work, worker);
    return admitCharged(options, call, { free, pass });
  }
  const { quota: free, call: taken } = await freeCalls.take(call.client);
  if (taken === null) return admitCharged(options, call, { free, pass });
  return admitTaken(options.usage, {
    via: "free",
    worker,
    quota: quotaOf(free, pass),
    charge: taken.charge,
    release: async () => quotaOf(await taken.giveBack(), pass),
  });
}

/** No free call is left. */
async function admitCharged(
  options: MeteringOptions,
  call: PricedCall,
  { free, pass }: { free: FreeQuota; pass: PassQuota },
): Promise<Admission> {
  if (call.passToken === undefined || pass?.status !== "valid") return admitPaid(options, call, pass, free);
  const use = await options.passes.use(call.passToken);
  // Another call took the last one a moment ago.
  if (use.status !== "valid") return admitPaid(options, call, { status: use.status }, free);
  const quota = (remaining: number) => quotaOf(free, { status: "valid", remaining });
  return admitTaken(options.usage, {
    via: "pass",
    worker: passAsClient(call.passToken),
    quota: quota(use.call.remaining),
    charge: use.call.charge,
    release: async () => quota(await use.call.giveBack()),
  });
}

/** `free`: if known. */
async function admitPaid(
  options: MeteringOptions,
  call: PricedCall,
  pass?: PassQuota,
  free?: FreeQuota,
): Promise<Admission> {
  if (call.payment !== undefined) return admitPaying(options, { ...call, payment: call.payment }, pass);
  return challenge(options, call, {
    pass,
    free,
    reason: call.product === "pass" ? "payment_required" : "free_allowance_used",
  });
}

/** Held for this request; `commit` charges it. */
function admitTaken(
  usage: UsageMetrics,
  held: Omit<Admitted, "kind" | "commit"> & { via: "free" | "pass"; charge: () => void },
): Admitted {
  const { via, worker, quota, charge, release } = held;
  return {
    kind: "admitted",
    via,
    worker,
    quota,
    release,
    async commit(body) {
      charge();
      usage.add(via);
      return { kind: "delivered", body, receipt: null, quota };
    },
  };
}

async function challenge(
  { freeCalls, usage, offers, limits }: MeteringOptions,
  { client, product, resource }: Unpaid,
  { pass, reason, free }: { pass?: PassQuota; reason: Reason; free?: FreeQuota | undefined },
): Promise<Challenged> {
  usage.add("challenged");
  const retryAfterSeconds = countUnpaid(limits, client);
  const quota = quotaOf(free ?? (await freeCalls.read(client)), pass);
  const asked = offers.challenge(product, resource, [...reasonsOf(pass), reason]);
  return { kind: "challenged", challenge: asked, quota, retryAfterSeconds };
}

async function admitPaying(
  { freeCalls, usage, offers, passTerms, purchases, limits }: MeteringOptions,
  { passToken: _shown, ...asked }: PricedCall & { payment: Payment },
  pass: PassQuota,
): Promise<Admission> {
  const { client, payment, product, resource } = asked;
  const { payments } = limits;
  const quota = quotaOf(await freeCalls.read(client), pass);
  const refuse = (reason: Reason): Challenged => {
    usage.add("refused");
    return { kind: "challenged", challenge: offers.challenge(product, resource, [...reasonsOf(pass), reason]), quota };
  };
  const deliver = ({ answer, receipt }: Paid): Delivery => ({ kind: "delivered", body: answer, receipt, quota });

  // An answer that was bought before is sent again without a charge, so it counts too.
  const purchase = await beginCounted(limits, client, () => purchases.begin(asked));
  if (purchase.kind === "refused") return refuse(purchase.reason);
  if (purchase.kind === "paid") return deliver(purchase);
  const commit = async (answer: string): Promise<Delivery | Challenged> => {
    const result = await purchase.commit(answer).catch(refundFailure(payments, client));
    if (result.kind === "refused") return refuse(result.reason);
    payments.refund(client);
    return deliver(result);
  };
  if (product === "pass") return commit(passTerms);
  const release = async (cause: unknown) => {
    payments.refund(client);
    purchase.release(cause);
    return quota;
  };
  const { authorization } = payment;
  const worker = authorization === null ? client : payerAsClient(authorization.from);
  return { kind: "admitted", via: "payment", worker, quota, commit: (body) => commit(body.toString()), release };
}

export function quotaOf(free: FreeQuota, pass?: PassQuota): Quota {
  return pass === undefined ? { free } : { free, pass };
}
