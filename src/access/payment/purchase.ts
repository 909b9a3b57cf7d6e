import { createHash } from "node:crypto";
import type { PaymentPayload, PaymentRequirements } from "@x402/core/types";
import { ServiceError } from "../../kernel/error.ts";
import type { Facilitator } from "../facilitator/facilitator.ts";
import type { Ledger, PaymentRow, Product } from "../ledger/ledger.ts";
import type { Offers, ResourcePath } from "./offers.ts";
import { type Authorization, type Paid, type Payment, paymentKey, type Reason, type Refused } from "./payment.ts";
import type { Settler } from "./settler.ts";

export interface PurchaseRequest {
  product: Product;
  resource: ResourcePath;
  /** What exactly is asked for. The payment pays for nothing else. */
  request: string;
  payment: Payment;
}

/** The payment is valid and not settled yet. Run the work, then call either `commit` or `release`. */
export interface Verified {
  kind: "verified";
  /** Settles the payment and gives the answer. Rejects with ServiceError when it is not known whether money moved. */
  commit(answer: string): Promise<Paid | Refused>;
  /** Settles nothing. Equal requests that wait for this one fail with the same `cause`. */
  release(cause: unknown): void;
}

export type Purchase = Paid | Refused | Verified;

/** Payments of this process. Equal ones that arrive while the first one runs wait for its result. */
export type Purchases = ReturnType<typeof createPurchases>;

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
  result: PromiseWithResolvers<Paid | Refused>;
}

/** One attempt to pay: what its steps need. */
interface PaymentAttempt {
  kind: "attempt";
  request: PurchaseRequest;
  requirements: PaymentRequirements;
  authorization: Authorization;
  key: string;
  fingerprint: string;
}

export function createPurchases(options: PurchasesOptions) {
  const running = new Map<string, Running>();

  async function lead(attempt: PaymentAttempt): Promise<Purchase> {
    const shared = Promise.withResolvers<Paid | Refused>();
    // Usually nobody else waits, and then nobody would handle the rejection.
    shared.promise.catch(() => {});
    running.set(attempt.key, { fingerprint: attempt.fingerprint, result: shared });
    const succeed = (result: Paid | Refused) => {
      running.delete(attempt.key);
      shared.resolve(result);
      return result;
    };
    const fail = (cause: unknown) => {
      running.delete(attempt.key);
      shared.reject(cause);
    };
    const guard = <T>(step: Promise<T>) =>
      step.catch((cause: unknown) => {
        fail(cause);
        throw cause;
      });
    const found = await guard(begin(options, attempt));
    if (found !== "verified") return succeed(found);
    return {
      kind: "verified",
      commit: async (answer) => succeed(await guard(commit(options, attempt, answer))),
      release: fail,
    };
  }

  return {
    /** Whether this process works on the payment now. */
    isBusy: (key: string) => running.has(key),
    /** Whether the payment is settled or under way for this very request. Rejects with ServiceError `ledger_unavailable`. */
    async knows(request: PurchaseRequest): Promise<boolean> {
      const attempt = prepare(options, request);
      if (attempt.kind === "refused") return false;
      const { key, fingerprint } = attempt;
      if (running.get(key)?.fingerprint === fingerprint) return true;
      const row = await options.ledger.findPayment(key);
      return row !== undefined && row.state !== "failed" && row.fingerprint === fingerprint;
    },
    /**
     * The steps of a payment: look into the ledger, verify, do the work, write the row, settle, write the result. Rejects with
     * ServiceError `payments_unavailable`, `settlement_pending` or `ledger_unavailable`. None of them asks for a new payment.
     */
    async begin(request: PurchaseRequest): Promise<Purchase> {
      const attempt = prepare(options, request);
      if (attempt.kind === "refused") return attempt;
      const other = running.get(attempt.key);
      if (other === undefined) return lead(attempt);
      return other.fingerprint === attempt.fingerprint ? other.result.promise : alreadyUsed;
    },
  };
}

/** Checks what needs no network. The facilitator checks all of it again. */
function prepare({ offers, now }: PurchasesOptions, request: PurchaseRequest): PaymentAttempt | Refused {
  const { product, payment } = request;
  const mismatch = offers.match(product, payment);
  if (mismatch !== null) return { kind: "refused", reason: mismatch };
  const requirements = offers.requirements(product);
  const authorization = payment.authorization as Authorization;
  const reason = precheck(authorization, requirements, BigInt(Math.floor(now() / 1000)));
  if (reason !== null) return { kind: "refused", reason };
  return {
    kind: "attempt",
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

/** Asks the ledger, then the facilitator. "verified": now the work has to be done. */
async function begin(options: PurchasesOptions, attempt: PaymentAttempt): Promise<Paid | Refused | "verified"> {
  const { ledger, facilitator, settler } = options;
  const row = await ledger.findPayment(attempt.key);
  if (row !== undefined) {
    if (row.fingerprint !== attempt.fingerprint) return alreadyUsed;
    const known = await settler.recall(row);
    if (known !== null) return known;
  }
  const verdict = await facilitator.verify(payloadOf(attempt), attempt.requirements);
  if (!verdict.valid) return recheck(options, attempt, verdict.reason);
  // A process died after it did the work. Its answer is settled and delivered now.
  return row?.state === "settling" ? settle(options, attempt, row) : "verified";
}

/** The payment is no longer valid, perhaps because another request settled it a moment ago. The ledger knows. */
async function recheck(
  { ledger, settler }: PurchasesOptions,
  attempt: PaymentAttempt,
  reason: Reason,
): Promise<Paid | Refused> {
  const row = await ledger.findPayment(attempt.key);
  if (row === undefined || row.state === "failed") return { kind: "refused", reason };
  if (row.fingerprint !== attempt.fingerprint) return alreadyUsed;
  const known = await settler.recall(row);
  // The earlier transfer may still arrive, so the caller must not be asked to pay again.
  if (known === null) throw new ServiceError("settlement_pending");
  return known;
}

async function commit(options: PurchasesOptions, attempt: PaymentAttempt, answer: string): Promise<Paid | Refused> {
  const { authorization, request, key, fingerprint } = attempt;
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
  return opened ? settle(options, attempt, row) : options.settler.follow(key);
}

async function settle(
  { facilitator, settler }: PurchasesOptions,
  attempt: PaymentAttempt,
  row: PaymentRow,
): Promise<Paid | Refused> {
  return settler.conclude(row, await facilitator.settle(payloadOf(attempt), attempt.requirements));
}

const alreadyUsed: Refused = { kind: "refused", reason: "payment_already_used" };
const daySeconds = 86_400n;

/**
 * Built anew from the fields that were checked. An unknown field, such as a Permit2 beside the authorization, could make the
 * facilitator settle something else than the ledger holds.
 */
function payloadOf({ request, requirements: accepted }: PaymentAttempt): PaymentPayload {
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
