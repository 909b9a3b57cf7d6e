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
  kind: "journey";
  request: PurchaseRequest;
  requirements: PaymentRequirements;
  authorization: Authorization;
  key: string;
  fingerprint: string;
}

/** Purchases over one ledger. Equal ones that arrive while the first runs wait for it: one verification, one settlement. */
export function createPurchases(options: PurchasesOptions): Purchases {
  const running = new Map<string, Running>();

  async function lead(journey: Journey): Promise<Purchase> {
    const outcome = Promise.withResolvers<Paid | Refused>();
    // Often nobody else waits for it.
    outcome.promise.catch(() => {});
    running.set(journey.key, { fingerprint: journey.fingerprint, outcome });
    const succeed = (result: Paid | Refused) => {
      running.delete(journey.key);
      outcome.resolve(result);
      return result;
    };
    const fail = (cause: unknown) => {
      running.delete(journey.key);
      outcome.reject(cause);
    };
    const guard = <T>(step: Promise<T>) =>
      step.catch((cause: unknown) => {
        fail(cause);
        throw cause;
      });
    const found = await guard(begin(options, journey));
    if (found !== "verified") return succeed(found);
    return {
      kind: "verified",
      commit: async (answer) => succeed(await guard(commit(options, journey, answer))),
      release: fail,
    };
  }

  return {
    isBusy: (key) => running.has(key),
    async begin(request) {
      const journey = prepare(options, request);
      if (journey.kind === "refused") return journey;
      const other = running.get(journey.key);
      if (other === undefined) return lead(journey);
      return other.fingerprint === journey.fingerprint ? other.outcome.promise : alreadyUsed;
    },
  };
}

/** Looks at what costs nothing to look at; the facilitator looks at all of it again. */
function prepare({ offers, now }: PurchasesOptions, request: PurchaseRequest): Journey | Refused {
  const { product, payment } = request;
  const mismatch = offers.match(product, payment);
  if (mismatch !== null) return { kind: "refused", reason: mismatch };
  const requirements = offers.requirements(product);
  const authorization = payment.authorization as Authorization;
  const reason = precheck(authorization, requirements, BigInt(Math.floor(now() / 1000)));
  if (reason !== null) return { kind: "refused", reason };
  return {
    kind: "journey",
    request,
    requirements,
    authorization,
    key: paymentKey(requirements.network, requirements.asset, authorization),
    fingerprint: createHash("sha256").update(`${product}\n${request.request}`).digest("hex"),
  };
}

function precheck({ to, value, validBefore }: Authorization, offered: PaymentRequirements, now: bigint): Reason | null {
  if (to !== offered.payTo.toLowerCase()) return "invalid_exact_evm_recipient_mismatch";
  if (value !== BigInt(offered.amount)) return "invalid_exact_evm_payload_authorization_value_mismatch";
  return validBefore > now + daySeconds ? "payment_valid_too_long" : null;
}

/** The ledger first, then the facilitator: up to the point where the work is wanted. */
async function begin(options: PurchasesOptions, journey: Journey): Promise<Paid | Refused | "verified"> {
  const { ledger, facilitator, settler } = options;
  const row = await ledger.findPayment(journey.key);
  if (row !== undefined) {
    if (row.fingerprint !== journey.fingerprint) return alreadyUsed;
    const known = await settler.recall(row);
    if (known !== null) return known;
  }
  const verdict = await facilitator.verify(payloadOf(journey), journey.requirements);
  if (!verdict.valid) return look(options, journey, verdict.reason);
  // The work was done before the process died: what was promised then is delivered now.
  return row?.state === "settling" ? settle(options, journey, row) : "verified";
}

/** The payment is not valid any more, perhaps because it was settled in this moment: the ledger knows. */
async function look({ ledger, settler }: PurchasesOptions, journey: Journey, reason: Reason): Promise<Paid | Refused> {
  const row = await ledger.findPayment(journey.key);
  if (row === undefined || row.state === "failed") return { kind: "refused", reason };
  if (row.fingerprint !== journey.fingerprint) return alreadyUsed;
  const known = await settler.recall(row);
  // What was sent before may still arrive, so nobody is asked to pay again.
  if (known === null) throw new ServiceError("settlement_pending");
  return known;
}

async function commit(options: PurchasesOptions, journey: Journey, answer: string): Promise<Paid | Refused> {
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
    openedAt: Math.floor(options.now() / 1000),
    closedAt: null,
    transaction: null,
    reason: null,
  };
  const opened = await options.ledger.openPayment(row);
  return opened ? settle(options, journey, row) : options.settler.follow(key);
}

async function settle(
  { facilitator, settler }: PurchasesOptions,
  journey: Journey,
  row: PaymentRow,
): Promise<Paid | Refused> {
  return settler.conclude(row, await facilitator.settle(payloadOf(journey), journey.requirements));
}

const alreadyUsed: Refused = { kind: "refused", reason: "payment_already_used" };
const daySeconds = 86_400n;

/**
 * Rebuilt from what was read, in our words where they are ours: a field that we do not know (a Permit2 beside the authorization)
 * could make the facilitator settle something else than the ledger holds.
 */
function payloadOf({ request, requirements: accepted }: Journey): PaymentPayload {
  const { payload } = request.payment;
  const { signature, authorization } = payload.payload as { signature: string; authorization: Record<string, string> };
  const { from, to, value, validAfter, validBefore, nonce } = authorization;
  return {
    x402Version: 2,
    ...(payload.resource ? { resource: payload.resource } : {}),
    accepted,
    payload: { signature, authorization: { from, to, value, validAfter, validBefore, nonce } },
  };
}
