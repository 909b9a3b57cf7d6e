import { ServiceError } from "../kernel/error.ts";
import { andThen, type Soon } from "../kernel/soon.ts";
import type { Allowance, FreeStanding } from "./allowance.ts";
import type { Client } from "./client-address.ts";
import type { Demand } from "./demand.ts";
import type { Product } from "./ledger/rows.ts";
import type { Challenge, Offers, Reason, Resource } from "./offers.ts";
import type { PassCall, Passes, PassStatus } from "./pass.ts";
import type { Payment } from "./payment.ts";
import type { Purchases, Verified } from "./purchase.ts";
import type { RateLimit } from "./rate-limit.ts";
import type { Paid, Receipt } from "./receipt.ts";

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
  commit(body: Buffer): Soon<Delivery | Challenged>;
  /** There is no answer to charge for: the call is given back, the payment is not settled. */
  release(cause: unknown): Soon<Standing>;
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

export interface Gate {
  /** Before anything else is done for a client. Throws ServiceError `rate_limited`. */
  enter(client: Client): void;
  /**
   * Decides by pass, then payment, then free allowance. A payment that was settled before is delivered without work. Rejects
   * with ServiceError `payments_unavailable`, `settlement_pending` or `ledger_unavailable`.
   */
  admit(visit: Visit): Soon<Grant | Delivery | Challenged>;
  /** Tells the price to whoever asks with nothing in hand; counts against nothing but the rate. */
  quote(visit: Pick<Visit, "client" | "product" | "resource">): Soon<Challenged>;
  /** For the headers of an answer that `admit` had no part in. */
  standing(client: Client): Soon<Standing>;
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
  const { offers, passes, allowance, purchases, rateLimit, demand } = options;

  function challenge(
    visit: Pick<Visit, "client" | "product" | "resource">,
    reasons: Reason[],
    standing: Standing,
  ): Challenged {
    rateLimit.spend(visit.client);
    return { kind: "challenged", challenge: offers.challenge(visit.product, visit.resource, reasons), standing };
  }

  function quote(visit: Pick<Visit, "client" | "product" | "resource">, pass?: Standing["pass"]): Soon<Challenged> {
    return andThen(allowance.read(visit.client), (free) => {
      demand.add("challenged");
      return challenge(visit, [...reasonsOf(pass), "payment_required"], standingOf(free, pass));
    });
  }

  function admitFree(visit: Visit, pass?: Standing["pass"]): Soon<Grant | Challenged> {
    return andThen(allowance.take(visit.client), (call): Soon<Grant | Challenged> => {
      if (call !== null) {
        const standing = standingOf(call.standing, pass);
        return grant("free", standing, () => andThen(call.giveBack(), (free) => standingOf(free, pass)));
      }
      return andThen(allowance.read(visit.client), (free) => {
        demand.add("challenged");
        return challenge(visit, [...reasonsOf(pass), "free_allowance_used"], standingOf(free, pass));
      });
    });
  }

  function admitByPass(visit: Visit, call: PassCall): Soon<Grant> {
    return andThen(allowance.read(visit.client), (free) => {
      const standing = standingOf(free, { status: "valid", remaining: call.remaining });
      return grant("pass", standing, () =>
        andThen(call.giveBack(), (remaining) => standingOf(free, { status: "valid", remaining })),
      );
    });
  }

  function grant(via: "free" | "pass", standing: Standing, giveBack: () => Soon<Standing>): Grant {
    return {
      kind: "granted",
      via,
      standing,
      commit(body) {
        demand.add(via);
        return { kind: "delivered", body, receipt: null, standing };
      },
      release: giveBack,
    };
  }

  async function admitPaying(
    visit: Visit,
    payment: Payment,
    pass?: Standing["pass"],
  ): Promise<Grant | Delivery | Challenged> {
    const { product, resource, client } = visit;
    const request = product === "pass" ? "" : visit.request;
    const standing = standingOf(await allowance.read(client), pass);
    // Spent first: many bad payments at once would otherwise all be verified before the first counts.
    rateLimit.spend(client);
    const purchase = await purchases.begin({ product, resource, request, payment });
    const refuse = (reason: Reason): Challenged => {
      demand.add("refused");
      return {
        kind: "challenged",
        challenge: offers.challenge(product, resource, [...reasonsOf(pass), reason]),
        standing,
      };
    };
    if (purchase.kind === "refused") return refuse(purchase.reason);
    if (purchase.kind === "paid") return deliver(visit, purchase, standing);
    if (product === "pass") return finish(purchase, options.passTerms);
    return {
      kind: "granted",
      via: "payment",
      standing,
      commit: (body) => finish(purchase, body.toString()),
      release(cause) {
        purchase.release(cause);
        return standing;
      },
    };

    async function finish(verified: Verified, answer: string): Promise<Delivery | Challenged> {
      const result = await verified.commit(answer);
      return result.kind === "paid" ? deliver(visit, result, standing) : refuse(result.reason);
    }
  }

  function deliver({ client }: Visit, { answer, receipt }: Paid, standing: Standing): Delivery {
    rateLimit.refund(client);
    demand.add("paid");
    return { kind: "delivered", body: answer, receipt, standing };
  }

  function admitWithout(visit: Visit, pass?: Standing["pass"]): Soon<Grant | Delivery | Challenged> {
    if (visit.payment !== undefined) return admitPaying(visit, visit.payment, pass);
    return visit.product === "pass" ? quote(visit, pass) : admitFree(visit, pass);
  }

  return {
    enter(client) {
      const retryAfterSeconds = rateLimit.wait(client);
      if (retryAfterSeconds === 0) return;
      demand.add("refused");
      throw new ServiceError("rate_limited", undefined, { retryAfterSeconds });
    },
    admit(visit) {
      if (visit.passToken === undefined || visit.product === "pass") return admitWithout(visit);
      return andThen(passes.use(visit.passToken), (use) => {
        if (use.status === "valid") return admitByPass(visit, use.call);
        // Nobody guesses 256 bits; whoever tries does so at the speed of everything else that is not charged.
        if (use.status === "unknown") rateLimit.spend(visit.client);
        return admitWithout(visit, { status: use.status });
      });
    },
    quote,
    standing: (client) => andThen(allowance.read(client), (free) => standingOf(free)),
    noteFailure(client, failure) {
      if (failure.code === "invalid_payment") demand.add("refused");
      if (failure.status < 500 && failure.code !== "rate_limited") rateLimit.spend(client);
    },
  };
}

function standingOf(free: FreeStanding, pass?: Standing["pass"]): Standing {
  return pass === undefined ? { free } : { free, pass };
}

/** Why the pass that was shown did not do. */
function reasonsOf(pass: Standing["pass"]): Reason[] {
  return pass === undefined || pass.status === "valid" ? [] : [`pass_${pass.status}`];
}
