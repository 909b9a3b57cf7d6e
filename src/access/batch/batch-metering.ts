import { assert, ServiceError } from "../../kernel/error.ts";
import type { MaybePromise } from "../../kernel/maybe-promise.ts";
import type { Challenged, Quota } from "../admission.ts";
import type { Ledger } from "../ledger/ledger.ts";
import { lookAtPass, type MeteringOptions, quotaOf, reasonsOf } from "../metering.ts";
import type { PurchaseRequest } from "../payment/attempt.ts";
import { type Credit, readCredit } from "../payment/credit.ts";
import type { Paid, Payment, Reason, Refused } from "../payment/payment.ts";
import type { Verified } from "../payment/purchase.ts";
import type { Client } from "../quota/client-address.ts";
import { giveBackAll, type HeldLine, holdLines } from "./held-calls.ts";

/** A batch of explanations: who asks for what, and how the caller wants to pay. */
export interface BatchCall {
  client: Client;
  /** What is asked for, each once. */
  requests: readonly string[];
  passToken?: string | undefined;
  payment?: Payment | undefined;
  /** A proof that the payer asks, for credit from another address than the buyer's. */
  claim?: string | undefined;
}

/**
 * The batch may run, and nobody is charged yet. Each line that has an answer is charged right before it is sent. At the end call
 * `end`, whatever happened.
 */
export interface AdmittedBatch {
  kind: "admitted";
  /** What is left beside the calls that are held for this batch. */
  quota: Quota;
  /** So many answers can be charged without the payment. null: so can all. Where there are more, call `settle` first. */
  unsettledBeyond: number | null;
  /** The payment as it was before the first line, once it is settled; null: none was needed so far. */
  credit(): Credit | null;
  /** How many more lines it pays for now. */
  creditLeft(): number | null;
  /** Settles the payment. Rejects with ServiceError, or says that it was refused; then the batch is over. */
  settle(): Promise<Challenged | null>;
  /** Charges one line: free calls first, then the pass, then the payment. Gives what to send. Rejects with ServiceError. */
  charge(request: string, answer: Buffer): MaybePromise<Buffer | string>;
  /** Gives back what was held and not charged. A payment that was not needed is left as it is. */
  end(): Promise<void>;
}

export interface BatchMeteringOptions extends Omit<MeteringOptions, "passTerms"> {
  ledger: Ledger;
  /** Milliseconds since the epoch. */
  now: () => number;
}

export type BatchMetering = ReturnType<typeof createBatchMetering>;

/** Decides whether a batch may run. Its lines are covered in this order: bought before, free, by the pass, by the payment. */
export function createBatchMetering(options: BatchMeteringOptions) {
  return {
    /**
     * Rejects with ServiceError `payments_unavailable`, `settlement_pending`, `ledger_unavailable` or `pass_claimed_elsewhere`; then
     * nothing is held.
     */
    async admit(call: BatchCall): Promise<AdmittedBatch | Challenged> {
      const pass = await lookAtPass(options, call);
      const followed = await followCredit(options, call);
      if (followed?.kind === "refused") return refuse(options, call, { pass, reason: followed.reason });
      const credit = followed?.credit ?? null;
      const open = call.requests.filter((request) => credit?.bought.has(request) !== true).length;
      const held = await holdLines(options, { ...call, passToken: call.passToken, lines: open });
      try {
        const missing = open - held.length;
        const quota = await readQuota(options, call);
        // Last of all: nothing may fail between the begin of a payment and its end.
        const paying = missing === 0 || credit !== null ? null : await beginPaying(options, call, missing);
        if (paying !== null && paying.kind !== "begun") {
          await giveBackAll(held);
          return refuse(options, call, { pass, reason: paying.reason, lines: missing });
        }
        if (credit !== null && credit.left < missing) {
          await giveBackAll(held);
          return refuse(options, call, { pass, reason: "credit_too_small", lines: missing });
        }
        return new RunningBatch(options, call, { held, quota, credit, begun: paying?.begun ?? null });
      } catch (cause) {
        await giveBackAll(held);
        throw cause;
      }
    },
  };
}

interface Parts {
  held: HeldLine[];
  quota: Quota;
  credit: Credit | null;
  /** A payment that is valid and not settled. */
  begun: Begun | null;
}

interface Begun {
  key: string;
  purchase: Verified | Paid;
}

class RunningBatch implements AdmittedBatch {
  readonly kind = "admitted";
  readonly quota: Quota;
  readonly #options: BatchMeteringOptions;
  readonly #call: BatchCall;
  readonly #held: HeldLine[];
  #begun: Begun | null;
  #paid = 0;
  #credit: Credit | null;

  constructor(options: BatchMeteringOptions, call: BatchCall, { held, quota, credit, begun }: Parts) {
    this.#options = options;
    this.#call = call;
    this.#held = held;
    this.quota = quota;
    this.#credit = credit;
    this.#begun = begun;
  }

  get unsettledBeyond(): number | null {
    return this.#begun === null ? null : this.#held.length;
  }

  credit(): Credit | null {
    return this.#credit;
  }

  creditLeft(): number | null {
    return this.#credit === null ? null : Math.max(0, this.#credit.left - this.#paid);
  }

  async settle(): Promise<Challenged | null> {
    const begun = this.#begun;
    assert(begun !== null, "a batch settles the payment that it was admitted with, once");
    this.#begun = null;
    const { key, purchase } = begun;
    const { rateLimit } = this.#options;
    const refund = (cause: unknown): never => {
      rateLimit.refund(this.#call.client);
      throw cause;
    };
    const paid = purchase.kind === "paid" ? purchase : await purchase.commit("").catch(refund);
    if (paid.kind === "refused") return refuse(this.#options, this.#call, { reason: paid.reason });
    rateLimit.refund(this.#call.client);
    this.#credit = await readCredit(this.#options, key, paid.receipt);
    return null;
  }

  async charge(request: string, answer: Buffer): Promise<Buffer | string> {
    const { usage } = this.#options;
    const held = this.#held.shift();
    if (held !== undefined) {
      held.charge();
      usage.add(held.via);
      return answer;
    }
    const bought = await this.#credit?.buy(request, answer.toString());
    if (bought === undefined || bought === null) throw new ServiceError("line_not_paid");
    usage.add("paid");
    this.#paid++;
    return bought;
  }

  async end(): Promise<void> {
    const begun = this.#begun;
    this.#begun = null;
    if (begun !== null) {
      this.#options.rateLimit.refund(this.#call.client);
      if (begun.purchase.kind === "verified") begun.purchase.release(notNeeded());
    }
    await giveBackAll(this.#held);
  }
}

async function readQuota({ freeCalls, passes }: BatchMeteringOptions, call: BatchCall): Promise<Quota> {
  const free = await freeCalls.read(call.client);
  return quotaOf(free, call.passToken === undefined ? undefined : await passes.look(call.passToken));
}

/** Follows a payment for a batch that is settled or under way. null: there is none. */
async function followCredit(
  options: BatchMeteringOptions,
  call: BatchCall,
): Promise<Refused | { kind: "followed"; credit: Credit } | null> {
  if (call.payment === undefined) return null;
  const request = purchaseOf(call, call.payment, 1);
  const { purchases, rateLimit } = options;
  const key = purchases.keyOf(request);
  if (key === null || !(await purchases.knows(request))) return null;
  rateLimit.spend(call.client);
  const refund = (cause: unknown): never => {
    rateLimit.refund(call.client);
    throw cause;
  };
  const purchase = await purchases.begin(request).catch(refund);
  if (purchase.kind === "refused") return purchase;
  rateLimit.refund(call.client);
  if (purchase.kind === "paid") return { kind: "followed", credit: await readCredit(options, key, purchase.receipt) };
  // It was dropped unsent between two looks. It is new, and is looked at again once it is needed.
  purchase.release(notNeeded());
  return null;
}

/** Checks a new payment that has to pay for so many lines. */
async function beginPaying(
  { purchases, rateLimit }: BatchMeteringOptions,
  call: BatchCall,
  lines: number,
): Promise<Refused | { kind: "begun"; begun: Begun }> {
  if (call.payment === undefined) return { kind: "refused", reason: "free_allowance_used" };
  const request = purchaseOf(call, call.payment, lines);
  // As with a single explanation: many bad payments at once must not all be verified before the first one counts.
  rateLimit.spend(call.client);
  const purchase = await purchases.begin(request).catch((cause: unknown): never => {
    rateLimit.refund(call.client);
    throw cause;
  });
  if (purchase.kind === "refused") return purchase;
  const key = purchases.keyOf(request);
  assert(key !== null, "a payment that is taken has a name");
  return { kind: "begun", begun: { key, purchase } };
}

/** What another batch is told that waited for the result of this payment. */
function notNeeded(): ServiceError {
  return new ServiceError("payments_unavailable", "The payment was not used, nothing was charged; send it again.", {
    retryAfterSeconds: 1,
  });
}

/** A batch is not told from another one: its payment buys lines, whichever they are. */
function purchaseOf({ client, claim }: BatchCall, payment: Payment, lines: number): PurchaseRequest {
  return { product: "batch", resource: "/explain/batch", request: "", payment, client, claim, lines };
}

async function refuse(
  { freeCalls, usage, offers, rateLimit }: BatchMeteringOptions,
  { client, payment, requests }: BatchCall,
  { pass, reason, lines = requests.length }: { pass?: Quota["pass"]; reason: Reason; lines?: number },
): Promise<Challenged> {
  usage.add(payment === undefined ? "challenged" : "refused");
  if (payment === undefined) rateLimit.spend(client);
  const challenge = offers.challenge("batch", "/explain/batch", [...reasonsOf(pass), reason], lines);
  return { kind: "challenged", challenge, quota: quotaOf(await freeCalls.read(client), pass) };
}
