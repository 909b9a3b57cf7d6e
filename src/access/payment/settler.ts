import { setTimeout as wait } from "node:timers/promises";
import type { Network } from "@x402/core/types";
import { type Address, checksum } from "../../kernel/address.ts";
import { assert, ServiceError } from "../../kernel/error.ts";
import type { Settlement } from "../facilitator/facilitator.ts";
import type { Ledger, PaymentRow } from "../ledger/ledger.ts";
import type { Passes, PassTerms } from "../quota/pass.ts";
import type { Paid, Reason, Refused } from "./payment.ts";
import type { AuthorizationState, TokenChain } from "./token-chain.ts";

/** Closes payments in the ledger, by the word of the facilitator and of the chain. */
export type Settler = ReturnType<typeof createSettler>;

export interface SettlerOptions {
  ledger: Ledger;
  chain: TokenChain;
  passes: Passes;
  network: Network;
  /** Milliseconds since the epoch. */
  now: () => number;
  /** Called once for every payment that this process closes as settled. */
  settled: (row: PaymentRow) => void;
}

export function createSettler(options: SettlerOptions) {
  const { ledger, chain } = options;
  return {
    /**
     * The result of an earlier attempt with the same payment. null: it moved no money and may be tried again. Rejects with
     * ServiceError `settlement_pending` while the result is not known.
     */
    async recall(row: PaymentRow): Promise<Paid | Refused | null> {
      if (row.state === "settled") return deliver(options, row);
      return apply(options, row, await chain.readAuthorization(row).catch(refuseAsPending));
    },
    /** Closes a payment after the facilitator settled it. Rejects with ServiceError `settlement_pending` when the result is not known. */
    async conclude(row: PaymentRow, settlement: Settlement): Promise<Paid | Refused> {
      // An explanation costs cents, so the facilitator's word is enough. For a pass we look at the chain ourselves.
      if (settlement.status === "settled") {
        return row.product === "pass" ? confirm(options, row) : close(options, row, settlement.transaction);
      }
      const known = await apply(options, row, await chain.readAuthorization(row).catch(refuseAsPending));
      if (known !== null) return known;
      if (settlement.status === "unknown") throw pending();
      return fail(options, row, settlement.reason);
    },
    /** Waits for another process that settles the same payment. */
    async follow(key: string): Promise<Paid | Refused> {
      for (let tries = 0; tries < followTries; tries++) {
        const row = await ledger.findPayment(key);
        if (row?.state === "settled") return deliver(options, row);
        if (row?.state === "failed") return { kind: "refused", reason: row.reason ?? "settlement_failed" };
        await wait(followMs);
      }
      throw pending();
    },
    /**
     * Asks the chain about every payment that has been open for so many seconds, the oldest first, and closes it if possible.
     * Busy ones, which this process works on, are left alone.
     */
    async reconcile(openFor: number, isBusy: (key: string) => boolean): Promise<Reconciled[]> {
      const now = secondsOf(options);
      const reconciled: Reconciled[] = [];
      for (const payment of await ledger.listOpenPayments({ openedBefore: now - openFor, now })) {
        if (isBusy(payment.key)) continue;
        const outcome = await reconcileOne(options, payment).catch(() => "unreachable" as const);
        reconciled.push({ payment, outcome });
      }
      return reconciled;
    },
  };
}

/** One open payment and what the chain says about it. `unreachable`: the chain did not answer. */
export interface Reconciled {
  payment: PaymentRow;
  outcome: AuthorizationState["state"] | "unreachable";
}

async function reconcileOne(options: SettlerOptions, row: PaymentRow): Promise<AuthorizationState["state"]> {
  const found = await options.chain.readAuthorization(row);
  if (found.state === "unclear" && secondsOf(options) > row.validBefore + hourSeconds) {
    await fail(options, row, "authorization_canceled");
    return "lost";
  }
  if (found.state !== "unclear") await apply(options, row, found);
  return found.state;
}

async function deliver({ ledger, network, passes }: SettlerOptions, row: PaymentRow): Promise<Paid> {
  const receipt = {
    success: true,
    transaction: row.transaction as string,
    network,
    payer: checksum(row.payer as Address),
  } as const;
  if (row.product === "explain") return { kind: "paid", answer: row.answer, receipt };
  const pass = await ledger.findPassOf(row.key);
  assert(pass !== undefined, "a settled payment for a pass has its pass");
  return { kind: "paid", answer: JSON.stringify(passes.describe(pass)), receipt };
}

async function close(options: SettlerOptions, row: PaymentRow, transaction: string): Promise<Paid> {
  const { ledger, passes, settled } = options;
  const now = secondsOf(options);
  const pass = row.product === "pass" ? passes.issue(row.key, JSON.parse(row.answer) as PassTerms, now) : null;
  if (await ledger.settlePayment(row.key, { transaction, now, pass })) settled(row);
  return deliver(options, { ...row, transaction });
}

async function fail(options: SettlerOptions, row: PaymentRow, reason: Reason): Promise<Refused> {
  await options.ledger.failPayment(row.key, { reason, now: secondsOf(options) });
  return { kind: "refused", reason };
}

/** Writes the state on chain into the ledger. null: the authorization is still open. */
async function apply(
  options: SettlerOptions,
  row: PaymentRow,
  found: AuthorizationState,
): Promise<Paid | Refused | null> {
  if (found.state === "settled") return close(options, row, found.transaction);
  if (found.state === "unclear") throw pending();
  return found.state === "open" ? null : fail(options, row, found.reason);
}

/** The nodes behind one endpoint may be at different blocks, so the transfer may show up a little later. */
async function confirm(options: SettlerOptions, row: PaymentRow): Promise<Paid | Refused> {
  for (const ms of confirmMs) {
    if (ms > 0) await wait(ms);
    const known = await apply(options, row, await options.chain.readAuthorization(row).catch(refuseAsPending));
    if (known !== null) return known;
  }
  throw pending();
}

function secondsOf({ now }: SettlerOptions): number {
  return Math.floor(now() / 1000);
}

const confirmMs = [0, 100, 200, 400, 800, 1_500, 2_500, 4_000];
const followMs = 200;
const followTries = 75;
const hourSeconds = 3_600;

function pending(): ServiceError {
  return new ServiceError("settlement_pending", undefined, { retryAfterSeconds: 3 });
}

/** The caller may have paid, so it must not be asked to pay again only because we cannot see it. */
function refuseAsPending(cause: unknown): never {
  throw new ServiceError("settlement_pending", undefined, { cause, retryAfterSeconds: 5 });
}
