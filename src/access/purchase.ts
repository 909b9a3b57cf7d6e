import { createHash } from "node:crypto";
import type { PaymentPayload, PaymentRequirements } from "@x402/core/types";
import { ServiceError } from "../kernel/error.ts";
import type { Facilitator } from "./facilitator/facilitator.ts";
import type { Ledger } from "./ledger/ledger.ts";
import type { PaymentRow, Product } from "./ledger/rows.ts";
import type { Offers, Reason, Resource } from "./offers.ts";
import { type Authorization, type Payment, paymentKey } from "./payment.ts";
import type { Paid, Refused } from "./receipt.ts";
import type { Settler } from "./settle.ts";

export interface PurchaseRequest {
  product: Product;
  resource: Resource;
  /** What exactly is asked for: the same payment pays for nothing else. */
  request: string;
  payment: Payment;
}

/** The payment is good and nothing was charged yet: do the work, then commit or release. One of the two must be called. */
export interface Verified {
  kind: "verified";
  /** Settles the payment and hands the answer over. Rejects with ServiceError when the outcome is not known. */
  commit(answer: string): Promise<Paid | Refused>;
  /** Nothing is charged; others who sent the same meanwhile learn the same `cause`. */
  release(cause: unknown): void;
}

export type Purchase = Paid | Refused | Verified;

export interface Purchases {
  /**
   * The way of a payment: ledger, verification, work, durable row, settlement, durable answer. Rejects with ServiceError
   * `payments_unavailable`, `settlement_pending` or `ledger_unavailable`; none of these means that a new payment is wanted.
   */
  begin(request: PurchaseRequest): Promise<Purchase>;
  /** Whether this process is working on the payment now. */
  isBusy(key: string): boolean;
}

export interface PurchasesOptions {
  ledger: Ledger;
  offers: Offers;
  facilitator: Facilitator;
  settler: Settler;
  /** Milliseconds since the epoch. */
  now: () => number;
}

interface Running {
  fingerprint: string;
  outcome: PromiseWithResolvers<Paid | Refused>;
}

/** A payment on its way: what the steps hand to each other. */
interface Journey {
  request: PurchaseRequest;
  authorization: Authorization;
  key: string;
  fingerprint: string;
}

/** Purchases over one ledger. Equal ones that arrive while the first runs wait for it: one verification, one settlement. */
export function createPurchases({ ledger, offers, facilitator, settler, now }: PurchasesOptions): Purchases {
  const running = new Map<string, Running>();

  async function begin(request: PurchaseRequest): Promise<Purchase> {
    const { product, payment } = request;
    const mismatch = offers.match(product, payment) ?? precheck(payment.authorization as Authorization, request);
    if (mismatch !== null) return { kind: "refused", reason: mismatch };
    const authorization = payment.authorization as Authorization;
    const { network, asset } = offers.requirements(product);
    const journey: Journey = {
      request,
      authorization,
      key: paymentKey(network, asset, authorization),
      fingerprint: createHash("sha256").update(`${product}\n${request.request}`).digest("hex"),
    };
    const other = running.get(journey.key);
    if (other === undefined) return lead(journey);
    return other.fingerprint === journey.fingerprint ? other.outcome.promise : alreadyUsed;
  }

  async function lead(journey: Journey): Promise<Purchase> {
    const outcome = Promise.withResolvers<Paid | Refused>();
    // Often nobody else waits for it.
    outcome.promise.catch(() => {});
    running.set(journey.key, { fingerprint: journey.fingerprint, outcome });
    const settle = (result: Paid | Refused) => {
      running.delete(journey.key);
      outcome.resolve(result);
      return result;
    };
    const fail = (cause: unknown) => {
      running.delete(journey.key);
      outcome.reject(cause);
    };
    try {
      const found = await travel(journey);
      if (found.kind !== "verified") return settle(found);
      const commit = (answer: string) =>
        found.commit(answer).then(settle, (cause: unknown) => {
          fail(cause);
          throw cause;
        });
      return { kind: "verified", commit, release: fail };
    } catch (cause) {
      fail(cause);
      throw cause;
    }
  }

  async function travel(journey: Journey): Promise<Purchase> {
    const { request, key, fingerprint } = journey;
    const row = await ledger.findPayment(key);
    if (row !== undefined) {
      if (row.fingerprint !== fingerprint) return alreadyUsed;
      const known = await settler.recall(row);
      if (known !== null) return known;
    }
    const requirements = offers.requirements(request.product);
    const verdict = await facilitator.verify(payloadFor(request.payment, requirements), requirements);
    const open = row?.state === "settling" ? row : null;
    if (!verdict.valid) {
      // What was sent before may still arrive, so nobody is asked to pay again.
      if (open !== null) throw new ServiceError("settlement_pending");
      return { kind: "refused", reason: verdict.reason };
    }
    // The work was done before the process died: what was promised then is delivered now.
    if (open !== null) return settle(journey, open);
    return { kind: "verified", commit: (answer) => commit(journey, answer), release() {} };
  }

  async function commit(journey: Journey, answer: string): Promise<Paid | Refused> {
    const { authorization, request, key, fingerprint } = journey;
    const row: PaymentRow = {
      key,
      product: request.product,
      fingerprint,
      state: "settling",
      payer: authorization.from,
      nonce: authorization.nonce,
      payTo: authorization.to,
      amount: authorization.value,
      validBefore: Number(authorization.validBefore),
      answer,
      openedAt: Math.floor(now() / 1000),
      closedAt: null,
      transaction: null,
      reason: null,
    };
    const opened = await ledger.openPayment(row);
    return opened ? settle(journey, row) : settler.follow(key);
  }

  async function settle({ request }: Journey, row: PaymentRow): Promise<Paid | Refused> {
    const requirements = offers.requirements(request.product);
    const settlement = await facilitator.settle(payloadFor(request.payment, requirements), requirements);
    return settler.conclude(row, settlement);
  }

  /** What costs nothing to find out; the facilitator looks at all of it again. */
  function precheck(authorization: Authorization, { product }: PurchaseRequest): Reason | null {
    const { payTo, amount } = offers.requirements(product);
    const seconds = BigInt(Math.floor(now() / 1000));
    if (authorization.to !== payTo.toLowerCase()) return "invalid_exact_evm_recipient_mismatch";
    if (authorization.value !== BigInt(amount)) return "invalid_exact_evm_payload_authorization_value_mismatch";
    return authorization.validBefore > seconds + daySeconds ? "payment_valid_too_long" : null;
  }

  return { begin, isBusy: (key) => running.has(key) };
}

const alreadyUsed: Refused = { kind: "refused", reason: "payment_already_used" };
const daySeconds = 86_400n;

/**
 * Rebuilt from what was read, in our words where they are ours: a field that we do not know (a Permit2 beside the authorization)
 * could make the facilitator settle something else than the ledger holds.
 */
function payloadFor({ payload }: Payment, accepted: PaymentRequirements): PaymentPayload {
  const { signature, authorization } = payload.payload as { signature: string; authorization: Record<string, string> };
  const { from, to, value, validAfter, validBefore, nonce } = authorization;
  return {
    x402Version: 2,
    ...(payload.resource ? { resource: payload.resource } : {}),
    accepted,
    payload: { signature, authorization: { from, to, value, validAfter, validBefore, nonce } },
  };
}
