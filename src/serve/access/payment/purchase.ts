import { assert, ServiceError } from "../../../kernel/error.ts";
import type { Facilitator } from "../facilitator/facilitator.ts";
import type { NewPayment, PaymentRow } from "../ledger/rows.ts";
import { isAbout, type PaymentAttempt, type PurchaseRequest, payloadOf, precheck, prepare } from "./attempt.ts";
import type { Claims } from "./claim.ts";
import type { Offers } from "./offers.ts";
import type { Authorization, Paid, Reason, Refused } from "./payment.ts";
import { pending, type Settler, type SettlerOptions } from "./settler.ts";
import type { PayerView } from "./token-chain.ts";

/** Valid, not settled: work, then `commit` or `release`. */
export interface Verified {
  kind: "verified";
  /** Rejects with ServiceError where nobody knows whether money moved. */
  commit(answer: string): Promise<Paid | Refused>;
  /** Settles nothing. Equal requests that wait fail with `cause`; null: the first begins anew. */
  release(cause: unknown): void;
}

export type Purchase = Paid | Refused | Verified;

/** Of this process. Equal ones wait for the first. */
export type Purchases = ReturnType<typeof createPurchases>;

export interface PurchasesOptions extends Pick<SettlerOptions, "ledger" | "chain" | "beatMs" | "now"> {
  offers: Offers;
  facilitator: Facilitator;
  settler: Settler;
  claims: Claims;
  /** {@link anyone}: the facilitator's wallet. */
  sender: string;
  /** For the work; default eight seconds. */
  workMs?: number | undefined;
}

interface Running {
  fingerprint: string;
  /** null: given up; the first that waits begins anew. */
  result: PromiseWithResolvers<Bought | Refused | null>;
}

/** `view`: before the facilitator saw the payment. */
type ReadyAttempt = PaymentAttempt & { view: PayerView };

export function createPurchases(options: PurchasesOptions) {
  const running = new Map<string, Running>();

  async function lead(attempt: PaymentAttempt): Promise<Purchase> {
    const { end, fail } = startRun(running, attempt);
    const guard = <T>(step: Promise<T>) => step.catch((cause: unknown) => Promise.reject(fail(cause)));
    const found = await guard(begin(options, attempt));
    if (found.kind !== "ready") return give(options, attempt, end(share(options, attempt, found)));
    return {
      kind: "verified",
      async commit(answer) {
        const { result, opened } = await guard(found.commit(answer));
        const shared = end(share(options, attempt, result));
        return opened && shared.kind === "bought" ? shared.take() : give(options, attempt, shared);
      },
      release: (cause) => void (cause === null ? end(null) : fail(cause)),
    };
  }

  return {
    /** In the ledger. null: of a kind that we do not take. */
    keyOf: (request: PurchaseRequest): string | null => prepare(options.offers, request)?.key ?? null,
    isBusy: (key: string) => running.has(key),
    /**
     * Settled or under way for this request. Unsigned by the payer it is nobody's, and keeps no call from being free. Rejects with
     * ServiceError `ledger_unavailable`, or `payments_unavailable` where a contract's signature cannot be checked.
     */
    async knows(request: PurchaseRequest): Promise<boolean> {
      const attempt = prepare(options.offers, request);
      return attempt !== null && isKnown(options, attempt, running.get(attempt.key));
    },
    /**
     * Ledger, verify, work, row, settle, result. Rejects with ServiceError `payments_unavailable`, `settlement_pending`,
     * `ledger_unavailable`, or `pass_claimed_elsewhere` where another bought it: none asks for a new payment.
     */
    async begin(request: PurchaseRequest): Promise<Purchase> {
      const attempt = prepare(options.offers, request);
      if (attempt === null) return { kind: "refused", reason: "unsupported_payload_type" };
      // Each turn another request leads. It ends at the latest when all the others have gone.
      for (;;) {
        const other = running.get(attempt.key);
        if (other !== undefined && other.fingerprint !== attempt.fingerprint) return alreadyUsed;
        if (other === undefined) return lead(attempt);
        const result = await other.result.promise;
        if (result !== null) return give(options, attempt, result);
      }
    },
  };
}

function startRun(running: Map<string, Running>, { key, fingerprint }: PaymentAttempt) {
  const shared = Promise.withResolvers<Bought | Refused | null>();
  // Usually nobody else waits, and then nobody would handle the rejection.
  shared.promise.catch(() => {});
  running.set(key, { fingerprint, result: shared });
  return {
    end<T extends Bought | Refused | null>(result: T): T {
      running.delete(key);
      shared.resolve(result);
      return result;
    },
    fail(cause: unknown): unknown {
      running.delete(key);
      shared.reject(cause);
      return cause;
    },
  };
}

/** `worked`: here and now. */
async function isKnown(
  { ledger, claims }: PurchasesOptions,
  attempt: PaymentAttempt,
  worked: Running | undefined,
): Promise<boolean> {
  const row = worked === undefined ? await ledger.findPayment(attempt.key) : undefined;
  const begun = row?.state === "failed" ? undefined : (worked ?? row);
  if (begun?.fingerprint !== attempt.fingerprint) return false;
  return attempt.request.product !== "explain" || claims.isSigned(attempt);
}

/** Settled; who asks is not known yet. */
interface Bought {
  kind: "bought";
  /** All who are told this moment's result take the same pass: each renewal ends the token before. */
  take(): Promise<Paid>;
}

function share(
  { settler }: PurchasesOptions,
  { key, request }: PaymentAttempt,
  paid: Paid | Refused,
): Bought | Refused {
  if (paid.kind === "refused") return paid;
  let taken: Promise<Paid> | undefined;
  const renew = async () => ({ ...paid, answer: await settler.renew(key) });
  const isWhole = request.product !== "pass" || paid.fresh === true;
  return { kind: "bought", take: () => (taken ??= isWhole ? Promise.resolve(paid) : renew()) };
}

/** Anybody with the signed payment may follow it; its pass or lines are the buyer's. */
async function give(
  { claims }: PurchasesOptions,
  attempt: PaymentAttempt,
  result: Bought | Refused,
): Promise<Paid | Refused> {
  if (result.kind === "refused") return result;
  if (attempt.request.product !== "explain") await claims.check(attempt);
  else if (!(await claims.isSigned(attempt))) return notSigned;
  return result.take();
}

/** `opened`: by this request, so the buyer's. */
type Committed = { result: Paid | Refused; opened: boolean };
type Begun = Paid | Refused | { kind: "ready"; commit: (answer: string) => Promise<Committed> };

/** Ledger, chain, facilitator. A payment with a row follows it. */
async function begin(options: PurchasesOptions, attempt: PaymentAttempt): Promise<Begun> {
  const known = await lookUp(options, attempt);
  if (known?.kind === "paid" && known.answer === "" && attempt.request.product === "explain")
    return {
      kind: "ready",
      commit: async (answer) => found(await answerAgain(options, attempt, { ...known, answer })),
    };
  if (known !== null) return known;
  const reason = precheck(options, attempt);
  if (reason !== null) return { kind: "refused", reason };
  const { authorization, requirements } = attempt;
  const view = await options.chain.look({ payer: authorization.from, nonce: authorization.nonce });
  const verdict = await options.facilitator.verify(payloadOf(attempt), requirements);
  const refusal = verdict.valid || view.used ? refusalOf(view, authorization) : verdict.reason;
  if (refusal === null) return { kind: "ready", commit: (answer) => commit(options, { ...attempt, view }, answer) };
  // It is no longer valid, perhaps because another request settled it a moment ago. The ledger knows.
  return (await lookUp(options, attempt)) ?? { kind: "refused", reason: refusal };
}

/** Dropped (statements.sql): pasted, or taken late by the chain. The work is done again. */
async function answerAgain({ ledger, now }: PurchasesOptions, { key }: PaymentAttempt, paid: Paid): Promise<Paid> {
  await ledger.giveAnswer(key, paid.answer, pastedUntil(now));
  return paid;
}

/** Unix seconds; then a pasted answer is dropped. */
const pastedUntil = (now: () => number) => Math.floor(now() / 1000) + 86_400;

/** Before anything is spent. */
function refusalOf({ used, balance }: PayerView, { value }: Authorization): Reason | null {
  if (used) return "invalid_exact_evm_nonce_already_used";
  return balance < value ? insufficientBalance : null;
}

const found = (result: Paid | Refused): Committed => ({ result, opened: false });

/**
 * Follows the row to its end; null: none, or nothing was sent. Unsigned by the payer it is neither told nor sent. What a settled row bought
 * has its own check: a payer's contract may have other keys by then.
 */
async function lookUp(options: PurchasesOptions, attempt: PaymentAttempt): Promise<Paid | Refused | null> {
  const row = await options.ledger.findPayment(attempt.key);
  if (row === undefined) return null;
  if (row.fingerprint !== attempt.fingerprint) return alreadyUsed;
  const isClaimed = row.state === "settled" && attempt.request.product !== "explain";
  if (!isClaimed && !(await options.claims.isSigned(attempt))) return notSigned;
  const known = await options.settler.recall(row);
  if (known.kind === "unsent") return null;
  return known.kind === "open" ? takeOver(options, attempt, row) : known;
}

/**
 * Waits for who works on it, sends again when nobody does; never another authorization with its nonce: the row would not be about it.
 * Rejects with ServiceError `settlement_pending`.
 */
async function takeOver(options: PurchasesOptions, attempt: PaymentAttempt, row: PaymentRow): Promise<Paid | Refused> {
  const { ledger, settler, sender: wallet, beatMs } = options;
  let { beat } = row;
  for (let waited = 0, silent = 0; waited < followBeats; waited++) {
    await settler.pause(beatMs);
    const held = await ledger.findPayment(attempt.key);
    assert(held !== undefined, "rows are never deleted");
    if (held.state !== "settling") {
      const known = await settler.recall(held, true);
      if (known.kind === "paid" || known.kind === "refused") return known;
      // It was dropped unsent this moment. Sent again, it begins anew.
      throw unavailable();
    }
    silent = held.beat === beat ? silent + 1 : 0;
    beat = held.beat;
    if (silent < silentBeats[ledger.database] || !isAbout(held, attempt)) continue;
    if ((await ledger.takeOver(attempt.key, { wallet, beat })) !== null) return settle(options, attempt, held);
  }
  throw pending();
}

/** Before it is sent. */
function rowFor({ claims, sender, offers, now }: PurchasesOptions, attempt: ReadyAttempt, answer: string): NewPayment {
  const { authorization, request, key, fingerprint, view } = attempt;
  const isClaimed = request.product !== "explain";
  return {
    key,
    product: request.product,
    fingerprint,
    payer: authorization.from,
    nonce: authorization.nonce,
    payTo: authorization.to,
    amount: authorization.value,
    validBefore: Number(authorization.validBefore),
    answer,
    openedAt: Math.floor(now() / 1000),
    openedBlock: view.block,
    senders: sender,
    buyer: isClaimed ? claims.nameBuyer(key, request) : null,
    claimKey: isClaimed ? (request.claimKey ?? null) : null,
    answerUntil: request.isPasted ? pastedUntil(now) : null,
    lines: request.product === "batch" ? offers.linesOf(authorization.value) : null,
  };
}

async function commit(options: PurchasesOptions, attempt: ReadyAttempt, answer: string): Promise<Committed> {
  const { key, view } = attempt;
  const { ledger } = options;
  const opening = rowFor(options, attempt, answer);
  for (let tried = 0; !(await ledger.openPayment(opening, view.balance)); tried++) {
    const known = await lookUp(options, attempt);
    if (known !== null) return found(known);
    // Another replica dropped it unsent this moment, or the payer has too little for all that he has under way.
    if ((await ledger.findPayment(key)) !== undefined) throw unavailable();
    // One opened before the block of the balance may have left the balance already: it would count twice.
    if (await ledger.hasOpenPayment(attempt.authorization.from, view.block - 1)) throw unavailable();
    // What counted twice at first may be settled by now.
    if (tried > 0) return found({ kind: "refused", reason: insufficientBalance });
  }
  const row = await ledger.findPayment(key);
  assert(row !== undefined, "an opened payment has its row");
  return { result: await settle(options, attempt, row), opened: true };
}

/** With signs of life until the end is known. */
async function settle(
  { facilitator, settler, ledger, beatMs }: PurchasesOptions,
  attempt: PaymentAttempt,
  row: PaymentRow,
): Promise<Paid | Refused> {
  const beat = async () => ledger.beat(row.key);
  const timer = setInterval(() => void beat().catch(() => {}), beatMs).unref();
  try {
    return await settler.conclude(row, await facilitator.settle(payloadOf(attempt), attempt.requirements));
  } finally {
    clearInterval(timer);
  }
}

function unavailable(): ServiceError {
  return new ServiceError("payments_unavailable", undefined, { retryAfterSeconds: 5 });
}

const insufficientBalance = "invalid_exact_evm_insufficient_balance";
/** Signs of life that may be missing. Two processes share a SQLite file only during a restart. */
const silentBeats = { sqlite: 1, postgres: 3 };
/** Waited for. */
const followBeats = 15;

const alreadyUsed: Refused = { kind: "refused", reason: "payment_already_used" };
/** In the facilitators' words. */
const notSigned: Refused = { kind: "refused", reason: "invalid_exact_evm_signature" };
