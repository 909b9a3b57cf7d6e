import { assert, ServiceError } from "../../kernel/error.ts";
import { serviceLimits } from "../../kernel/limits.ts";
import type { Challenged, Quota } from "../admission.ts";
import type { Ledger } from "../ledger/ledger.ts";
import { lookAtPass, type MeteringOptions, quotaOf, reasonsOf } from "../metering.ts";
import { type Credit, readCredit } from "../payment/credit.ts";
import type { Reason } from "../payment/payment.ts";
import { refundFailure } from "../quota/rate-limit.ts";
import { type BatchCall, type Begun, beginPaying, followCredit, notNeeded } from "./batch-payment.ts";
import { giveBackAll, type HeldLine, holdLines } from "./held-calls.ts";

export interface BatchMeteringOptions extends Omit<MeteringOptions, "passTerms"> {
  ledger: Ledger;
  /** Milliseconds since the epoch. */
  now: () => number;
}

/** Decides whether a batch may run. Its lines are covered in this order: bought before, free, by the pass, by the payment. */
export function createBatchMetering(options: BatchMeteringOptions) {
  return {
    /**
     * Rejects with ServiceError `payments_unavailable`, `settlement_pending`, `ledger_unavailable` or `pass_claimed_elsewhere`; then
     * nothing is held.
     */
    async admit(call: BatchCall): Promise<AdmittedBatch | Challenged> {
      const { rateLimit } = options;
      const pass = await lookAtPass(options, call);
      const followed = await followCredit(options, call);
      if (followed?.kind === "refused") return refuse(options, call, { pass, reason: followed.reason });
      const open = countOpen(call, followed?.credit);
      const held = await holdLines(options, { ...call, passToken: call.passToken, lines: open });
      try {
        const uncovered = open - held.length;
        const quota = await readQuota(options, call);
        // Last of all: nothing may fail between the begin of a payment and its end.
        const paying = followed ?? (uncovered === 0 ? null : await beginPaying(options, call, uncovered));
        const begun = paying?.kind === "begun" ? paying : null;
        const credit = paying?.kind === "followed" ? countRecalls(options, call, paying.credit) : null;
        const missing = countOpen(call, credit) - held.length;
        const isShort = credit !== null && credit.left < missing;
        const reason = paying?.kind === "refused" ? paying.reason : isShort ? "credit_too_small" : null;
        if (reason === null) return runBatch(options, call, { held, quota, credit, begun, missing });
        // Holding calls and giving them back is work for the ledger.
        rateLimit.spend(call.client, serviceLimits.lineWeight * held.length);
        await giveBackAll(held);
        return refuse(options, call, { pass, reason, lines: missing });
      } catch (cause) {
        await giveBackAll(held);
        throw cause;
      }
    },
  };
}

/** How many lines the payment has not bought yet. */
function countOpen({ requests }: BatchCall, credit?: Credit | null): number {
  return requests.filter((request) => credit?.bought.has(request) !== true).length;
}

/** What was bought before is told again without a charge, so it counts against the rate limit. */
function countRecalls({ rateLimit }: BatchMeteringOptions, { client }: BatchCall, credit: Credit): Credit {
  const recall: Credit["recall"] = (request) => {
    rateLimit.spend(client, serviceLimits.lineWeight);
    return credit.recall(request);
  };
  return { ...credit, recall };
}

interface Parts {
  held: HeldLine[];
  quota: Quota;
  credit: Credit | null;
  begun: Begun | null;
  /** So many lines are not covered by what is held. */
  missing: number;
}

export type AdmittedBatch = ReturnType<typeof runBatch>;

/**
 * The batch may run, and nobody is charged yet. Each line that has an answer is charged right before it is sent. At the end call
 * `end`, whatever happened.
 */
function runBatch(options: BatchMeteringOptions, call: BatchCall, parts: Parts) {
  const { rateLimit } = options;
  const { held, quota, missing } = parts;
  let { begun, credit } = parts;
  let paid = 0;
  const noteCharge = createChargeNotes(options, call, credit !== null);
  return {
    kind: "admitted" as const,
    /** What is left beside the calls that are held for this batch. */
    quota,
    /** So many answers can be charged without the payment. null: so can all. Where there are more, call `settle` first. */
    get unsettledBeyond(): number | null {
      return begun === null ? null : held.length;
    },
    /** The payment as it was before the first line, once it is settled; null: none was needed so far. */
    credit: () => credit,
    /** How many more lines it pays for now. */
    creditLeft: () => (credit === null ? null : Math.max(0, credit.left - paid)),
    /** Settles the payment. Rejects with ServiceError, or says that it was refused; then the batch is over. */
    async settle(): Promise<Challenged | null> {
      assert(begun !== null, "a batch settles the payment that it was admitted with, once");
      const { key, purchase } = begun;
      begun = null;
      const settled = await purchase.commit("").catch(refundFailure(rateLimit, call.client));
      if (settled.kind === "refused") return refuse(options, call, { reason: settled.reason, lines: missing });
      rateLimit.refund(call.client);
      credit = await readCredit(options, key, settled.receipt);
      return null;
    },
    /** Charges one line: free calls first, then the pass, then the payment. Gives what to send. Rejects with ServiceError. */
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
    /** Gives back what was held and not charged. A payment that was not needed is left as it is. */
    async end(): Promise<void> {
      const unused = begun;
      begun = null;
      if (unused !== null) {
        rateLimit.refund(call.client);
        unused.purchase.release(notNeeded());
      }
      await giveBackAll(held);
    },
  };
}

/** Notes each line that is charged. `isCounted`: the request counts against the rate limit until one is. */
function createChargeNotes({ rateLimit, usage }: BatchMeteringOptions, { client }: BatchCall, isCounted: boolean) {
  let counts = isCounted;
  return (via: "free" | "pass" | "paid"): void => {
    usage.add(via);
    if (counts) rateLimit.refund(client);
    counts = false;
  };
}

async function readQuota({ freeCalls, passes }: BatchMeteringOptions, call: BatchCall): Promise<Quota> {
  const free = await freeCalls.read(call.client);
  return quotaOf(free, call.passToken === undefined ? undefined : await passes.look(call.passToken));
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
