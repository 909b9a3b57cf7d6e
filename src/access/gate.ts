import { ServiceError } from "../kernel/error.ts";
import { andThen, type MaybePromise } from "../kernel/maybe-promise.ts";
import type { Challenged, Delivery, Grant, Standing, Visit } from "./admission.ts";
import type { Allowance, FreeStanding } from "./allowance.ts";
import type { Client } from "./client-address.ts";
import type { Demand } from "./demand.ts";
import type { Offers, Reason } from "./offers.ts";
import type { PassCall, Passes } from "./pass.ts";
import type { Payment } from "./payment.ts";
import type { Purchases } from "./purchase.ts";
import type { RateLimit } from "./rate-limit.ts";
import type { Paid } from "./receipt.ts";

export interface Gate {
  /** Before anything else is done for a client. Throws ServiceError `rate_limited`. */
  enter(client: Client): void;
  /**
   * Decides by pass, then payment, then free allowance. A payment that was settled before is delivered without work. Rejects
   * with ServiceError `payments_unavailable`, `settlement_pending` or `ledger_unavailable`.
   */
  admit(visit: Visit): MaybePromise<Grant | Delivery | Challenged>;
  /** Tells the price to whoever asks with nothing in hand; counts against nothing but the rate. */
  quote(visit: Pick<Visit, "client" | "product" | "resource">): MaybePromise<Challenged>;
  /** For the headers of an answer that `admit` had no part in. */
  standing(client: Client): MaybePromise<Standing>;
  /** Notes an answer that was not charged: a refusal that is the client's doing counts against its rate. */
  noteFailure(client: Client, failure: ServiceError): void;
}

export interface GateOptions {
  offers: Offers;
  passes: Passes;
  allowance: Allowance;
  purchases: Purchases;
  rateLimit: RateLimit;
  demand: Demand;
  /** What a pass that is bought now holds, as JSON. */
  passTerms: string;
}

/** The one place that decides who is let in. */
export function createGate(options: GateOptions): Gate {
  const { passes, allowance, rateLimit, demand } = options;
  return {
    enter(client) {
      const retryAfterSeconds = rateLimit.wait(client);
      if (retryAfterSeconds === 0) return;
      demand.add("refused");
      throw new ServiceError("rate_limited", undefined, { retryAfterSeconds });
    },
    admit(visit) {
      if (visit.passToken === undefined || visit.product === "pass") return admitWithout(options, visit);
      return andThen(passes.use(visit.passToken), (use) => {
        if (use.status === "valid") return admitByPass(options, visit, use.call);
        // Nobody guesses 256 bits; whoever tries does so at the speed of everything else that is not charged.
        if (use.status === "unknown") rateLimit.spend(visit.client);
        return admitWithout(options, visit, { status: use.status });
      });
    },
    quote: (visit) => quote(options, visit),
    standing: (client) => andThen(allowance.read(client), (free) => standingOf(free)),
    noteFailure(client, failure) {
      if (failure.code === "invalid_payment") demand.add("refused");
      if (failure.status < 500 && failure.code !== "rate_limited") rateLimit.spend(client);
    },
  };
}

type PassStanding = Standing["pass"];
type Quoted = Pick<Visit, "client" | "product" | "resource">;

/** Without a pass that does: `pass` is the one that did not. */
function admitWithout(
  options: GateOptions,
  visit: Visit,
  pass?: PassStanding,
): MaybePromise<Grant | Delivery | Challenged> {
  if (visit.payment !== undefined) return admitPaying(options, { ...visit, payment: visit.payment }, pass);
  return visit.product === "pass" ? quote(options, visit, pass) : admitFree(options, visit, pass);
}

function admitByPass(options: GateOptions, visit: Visit, call: PassCall): MaybePromise<Grant> {
  return andThen(options.allowance.read(visit.client), (free) => {
    const standing = (remaining: number) => standingOf(free, { status: "valid", remaining });
    return grant(options.demand, {
      via: "pass",
      standing: standing(call.remaining),
      release: () => andThen(call.giveBack(), standing),
    });
  });
}

function admitFree(options: GateOptions, visit: Visit, pass: PassStanding): MaybePromise<Grant | Challenged> {
  return andThen(options.allowance.take(visit.client), (call): MaybePromise<Grant | Challenged> => {
    if (call === null) return challenge(options, visit, { pass, reason: "free_allowance_used" });
    return grant(options.demand, {
      via: "free",
      standing: standingOf(call.standing, pass),
      release: () => andThen(call.giveBack(), (free) => standingOf(free, pass)),
    });
  });
}

function quote(options: GateOptions, visit: Quoted, pass?: PassStanding): MaybePromise<Challenged> {
  return challenge(options, visit, { pass, reason: "payment_required" });
}

/** Nothing was offered that would do. */
function challenge(
  { allowance, demand, offers, rateLimit }: GateOptions,
  { client, product, resource }: Quoted,
  { pass, reason }: { pass: PassStanding; reason: Reason },
): MaybePromise<Challenged> {
  demand.add("challenged");
  rateLimit.spend(client);
  return andThen(allowance.read(client), (free) => ({
    kind: "challenged",
    challenge: offers.challenge(product, resource, [...reasonsOf(pass), reason]),
    standing: standingOf(free, pass),
  }));
}

/** Free calls and calls on a pass are taken already; what is left to do is to count them. */
function grant(
  demand: Demand,
  { via, standing, release }: Omit<Grant, "kind" | "commit"> & { via: "free" | "pass" },
): Grant {
  return {
    kind: "granted",
    via,
    standing,
    release,
    commit(body) {
      demand.add(via);
      return { kind: "delivered", body, receipt: null, standing };
    },
  };
}

async function admitPaying(
  { allowance, demand, offers, passTerms, purchases, rateLimit }: GateOptions,
  { client, payment, product, request, resource }: Visit & { payment: Payment },
  pass: PassStanding,
): Promise<Grant | Delivery | Challenged> {
  const standing = standingOf(await allowance.read(client), pass);
  const refuse = (reason: Reason): Challenged => {
    demand.add("refused");
    return {
      kind: "challenged",
      challenge: offers.challenge(product, resource, [...reasonsOf(pass), reason]),
      standing,
    };
  };
  const deliver = ({ answer, receipt }: Paid): Delivery => {
    rateLimit.refund(client);
    demand.add("paid");
    return { kind: "delivered", body: answer, receipt, standing };
  };

  // Spent first: many bad payments at once would otherwise all be verified before the first counts.
  rateLimit.spend(client);
  const forgive = (cause: unknown): never => {
    rateLimit.refund(client);
    throw cause;
  };
  const asked = product === "pass" ? "" : request;
  const purchase = await purchases.begin({ product, resource, request: asked, payment }).catch(forgive);
  if (purchase.kind === "refused") return refuse(purchase.reason);
  if (purchase.kind === "paid") return deliver(purchase);
  const finish = async (answer: string): Promise<Delivery | Challenged> => {
    const result = await purchase.commit(answer).catch(forgive);
    return result.kind === "paid" ? deliver(result) : refuse(result.reason);
  };
  if (product === "pass") return finish(passTerms);
  const release = (cause: unknown) => {
    rateLimit.refund(client);
    purchase.release(cause);
    return standing;
  };
  return { kind: "granted", via: "payment", standing, commit: (body) => finish(body.toString()), release };
}

function standingOf(free: FreeStanding, pass?: Standing["pass"]): Standing {
  return pass === undefined ? { free } : { free, pass };
}

/** Why the pass that was shown did not do. */
function reasonsOf(pass: Standing["pass"]): Reason[] {
  return pass === undefined || pass.status === "valid" ? [] : [`pass_${pass.status}`];
}
