import { assert, ServiceError } from "../../../kernel/error.ts";
import { serviceLimits } from "../../../kernel/limits.ts";
import type { Challenged, Quota } from "../admission.ts";
import type { Ledger } from "../ledger/ledger.ts";
import { type MeteringOptions, quotaOf } from "../metering.ts";
import { type Credit, readCredit } from "../payment/credit.ts";
import type { Reason } from "../payment/payment.ts";
import type { Client } from "../quota/client-address.ts";
import { countUnpaid, payerAsClient, refundFailure } from "../quota/rate-limit.ts";
import { lookAtPass, reasonsOf, workerOf } from "../quota/shown-pass.ts";
import { type BatchCall, type Begun, beginPaying, followCredit, notNeeded } from "./batch-payment.ts";
import { giveBackAll, type HeldLine, holdLines } from "./held-calls.ts";

export interface BatchMeteringOptions extends Omit<MeteringOptions, "passTerms"> {
  ledger: Ledger;
  /** Ms since the epoch. */
  now: () => number;
}

/** Each line is covered by the first of these with something left: lines bought before, free calls, the pass, the payment. */
export function createBatchMetering(options: BatchMeteringOptions) {
  return {
    /**
     * Or states the price. Rejects with ServiceError `payments_unavailable`, `settlement_pending`, `ledger_unavailable` or
     * `pass_claimed_elsewhere`; then nothing is held.
     */
    async admit(call: BatchCall): Promise<AdmittedBatch | Challenged> {
      const { payments } = options.limits;
      const pass = await lookAtPass(options, call);
      const followed = await followCredit(options, call);
      if (followed?.kind === "refused") return refuse(options, call, { pass, reason: followed.reason });
      const open = countOpen(call, followed?.credit);
      // Holding and returning costs the ledger: not for a batch that cannot be paid.
      const short = call.payment === undefined ? open - countCovered(await readQuota(options, call)) : 0;
      if (short > 0) return refuse(options, call, { pass, reason: "free_allowance_used", lines: short });
      const held = await holdLines(options, { ...call, passToken: call.passToken, lines: open });
      try {
        const uncovered = open - held.length;
        const quota = await readQuota(options, call);
        // Last: nothing may fail between begin and end of a payment.
        const paying = followed ?? (uncovered === 0 ? null : await beginPaying(options, call, uncovered));
        const begun = paying?.kind === "begun" ? paying : null;
        const credit = paying?.kind === "followed" ? countRecalls(options, call, paying.credit) : null;
        const missing = countOpen(call, credit) - held.length;
        const isShort = credit !== null && credit.left < missing;
        const reason = paying?.kind === "refused" ? paying.reason : isShort ? "credit_too_small" : null;
        const worker = paying === null ? workerOf(call, pass) : payerOf(call);
        if (reason === null) return runBatch(options, call, { worker, held, quota, credit, begun, missing });
        payments.spend(call.client, serviceLimits.lineWeight * held.length);
        await giveBackAll(held);
        return refuse(options, call, { pass, reason, lines: missing });
      } catch (cause) {
        await giveBackAll(held);
        throw cause;
      }
    },
  };
}

/** Lines not bought before. */
function countOpen({ requests }: BatchCall, credit?: Credit | null): number {
  return requests.filter((request) => credit?.bought.has(request) !== true).length;
}

/** Lines that free calls and the pass cover. */
function countCovered({ free, pass }: Quota): number {
  return free.remaining + (pass?.status === "valid" ? (pass.remaining ?? 0) : 0);
}

/** Whom verifying or settling counts against. */
function payerOf({ client, payment }: BatchCall): Client {
  const payer = payment?.authorization?.from;
  return payer === undefined ? client : payerAsClient(payer);
}

/** Sent again without a charge, so counted. */
function countRecalls({ limits }: BatchMeteringOptions, { client }: BatchCall, credit: Credit): Credit {
  const recall: Credit["recall"] = (request) => {
    limits.payments.spend(client, serviceLimits.lineWeight);
    return credit.recall(request);
  };
  return { ...credit, recall };
}

interface Parts {
  /** Whom the work on lines counts against. */
  worker: Client;
  held: HeldLine[];
  quota: Quota;
  credit: Credit | null;
  begun: Begun | null;
  /** Lines that held calls do not cover. */
  missing: number;
}

export type AdmittedBatch = ReturnType<typeof runBatch>;

/** Charged line by line, just before sending. Always call `end`. */
function runBatch(options: BatchMeteringOptions, call: BatchCall, parts: Parts) {
  const { payments } = options.limits;
  const { worker, held, quota, missing } = parts;
  let { begun, credit } = parts;
  let paid = 0;
  const noteCharge = createChargeNotes(options, call, credit !== null);
  return {
    kind: "admitted" as const,
    worker,
    /** Left without the calls held for this batch. */
    quota,
    /** Answers chargeable without the payment; null: all. `settle` before more. */
    get unsettledBeyond(): number | null {
      return begun === null ? null : held.length;
    },
    /** Before the first line; null: no payment so far. */
    credit: () => credit,
    /** Lines the payment still covers. */
    creditLeft: () => (credit === null ? null : Math.max(0, credit.left - paid)),
    /** A challenge ends the batch. Rejects with ServiceError. */
    async settle(): Promise<Challenged | null> {
      assert(begun !== null, "a batch settles the payment that it was admitted with, once");
      const { key, purchase } = begun;
      begun = null;
      const settled = await purchase.commit("").catch(refundFailure(payments, call.client));
      if (settled.kind === "refused") return refuse(options, call, { reason: settled.reason, lines: missing });
      payments.refund(call.client);
      credit = await readCredit(options, key, settled.receipt);
      return null;
    },
    /** Free calls, pass, payment. Returns the body to send. Rejects with ServiceError. */
    async charge(request: string, answer: Buffer): Promise<Buffer | string> {
      const line = held.shift();
      if (line !== undefined) {
        line.charge();
        noteCharge(line.via);
        return answer;
      }
      const bought = await credit?.buy(request, answer.toString());
      if (bought === undefined || bought === null) throw new ServiceError("line_not_paid");
      noteCharge("paid");
      paid++;
      return bought;
    },
    /** Returns held calls; an unneeded payment is not settled. */
    async end(): Promise<void> {
      const unused = begun;
      begun = null;
      if (unused !== null) {
        payments.refund(call.client);
        unused.purchase.release(notNeeded());
      }
      await giveBackAll(held);
    },
  };
}

/** `isCounted`: the payment counts until a line is charged. */
function createChargeNotes({ limits, usage }: BatchMeteringOptions, { client }: BatchCall, isCounted: boolean) {
  let counts = isCounted;
  return (via: "free" | "pass" | "paid"): void => {
    usage.add(via);
    if (counts) limits.payments.refund(client);
    counts = false;
  };
}

async function readQuota({ freeCalls, passes }: BatchMeteringOptions, call: BatchCall): Promise<Quota> {
  const free = await freeCalls.read(call.client);
  return quotaOf(free, call.passToken === undefined ? undefined : await passes.look(call.passToken));
}

async function refuse(
  { freeCalls, usage, offers, limits }: BatchMeteringOptions,
  { client, payment, requests }: BatchCall,
  { pass, reason, lines = requests.length }: { pass?: Quota["pass"]; reason: Reason; lines?: number },
): Promise<Challenged> {
  usage.add(payment === undefined ? "challenged" : "refused");
  const retryAfterSeconds = payment === undefined ? countUnpaid(limits, client) : 0;
  const challenge = offers.challenge("batch", "/explain/batch", [...reasonsOf(pass), reason], lines);
  return { kind: "challenged", challenge, quota: quotaOf(await freeCalls.read(client), pass), retryAfterSeconds };
}
