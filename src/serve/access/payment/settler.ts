import { setTimeout as wait } from "node:timers/promises";
import type { Network } from "@x402/core/types";
import pLimit from "p-limit";
import { type Address, checksum } from "../../../kernel/address.ts";
import { assert, ServiceError } from "../../../kernel/error.ts";
import type { Settlement } from "../facilitator/facilitator.ts";
import type { Ledger } from "../ledger/ledger.ts";
import { type PassRow, type PaymentRow, stateOf } from "../ledger/rows.ts";
import type { Passes, PassTerms } from "../quota/pass.ts";
import { longestSeconds } from "./attempt.ts";
import type { AuthorizationState } from "./authorization-state.ts";
import type { Paid, Reason, Refused } from "./payment.ts";
import type { TokenChain } from "./token-chain.ts";

/** From state to state (docs/charging.md); the chain decides. */
export type Settler = ReturnType<typeof createSettler>;

export interface SettlerOptions {
  ledger: Ledger;
  chain: TokenChain;
  passes: Passes;
  network: Network;
  /** Ms; dates only, nothing is decided by it. */
  now: () => number;
  /** Once for each payment that this process closes. */
  settled: (row: PaymentRow) => void;
  /** Between signs of life. */
  beatMs: number;
  pause?: (ms: number) => Promise<void>;
}

/** `unsent`: no attempt. `open`: the chain may still take it. */
export type Recalled = Paid | Refused | { kind: "unsent" } | { kind: "open" };

export function createSettler(options: SettlerOptions) {
  const { pause = (ms: number) => wait(ms) } = options;
  const look = (row: PaymentRow) => options.chain.readAuthorization(row).catch(refuseAsPending);

  /** Nodes behind one endpoint differ: transfer or log may come a little later. */
  async function lookFor(row: PaymentRow): Promise<Paid | Refused> {
    for (const beats of confirmBeats) {
      if (beats > 0) await pause(beats * options.beatMs);
      const found = await look(row);
      const known = found.state === "unclear" ? null : await apply(options, row, found);
      if (known !== null) return known;
    }
    throw pending();
  }

  return {
    pause,
    /**
     * By ledger and chain. `isFollowed`: its end was waited for. Rejects with ServiceError `settlement_pending`, or `payments_unavailable`
     * where nothing was sent.
     */
    async recall(row: PaymentRow, isFollowed = false): Promise<Recalled> {
      const state = stateOf(row);
      if (state === "settled" || state === "confirmed") return deliver(options, row, isFollowed);
      if (state === "lost")
        return (await lookAgain(options, row)) ?? { kind: "refused", reason: row.reason ?? "settlement_failed" };
      // According to the endpoints, nothing was sent. The chain decides.
      const found = state === "failed" ? await options.chain.readAuthorization(row) : await look(row);
      return (await apply(options, row, found)) ?? { kind: state === "failed" ? "unsent" : "open" };
    },
    /**
     * After the facilitator; our endpoint decides, whatever it says. Rejects with ServiceError `settlement_pending`, or
     * `payments_unavailable` where nothing was sent.
     */
    async conclude(row: PaymentRow, settlement: Settlement): Promise<Paid | Refused> {
      if (settlement.status === "settled") return lookFor(row);
      if (settlement.status === "unsent") {
        const { reason } = settlement;
        const dropped = { reason: reason ?? "payments_unavailable", now: secondsOf(options) };
        if (await options.ledger.dropPayment(row.key, dropped)) {
          if (reason !== null) return { kind: "refused", reason };
          throw new ServiceError("payments_unavailable", undefined, { retryAfterSeconds: 30 });
        }
      }
      const known = await apply(options, row, await look(row));
      if (known === null) throw pending();
      return known;
    },
    /** For its buyer, who asks again; JSON. The token before, perhaps in other hands, ends. Rejects with ServiceError `pass_not_shown`. */
    renew: async (key: string): Promise<string> =>
      JSON.stringify(await options.passes.renew(await findPass(options, key))),
    /** Payments opened so many seconds of the chain ago, newest first, and settled ones to confirm; not busy ones. */
    reconcile: (openFor: number, isBusy: (key: string) => boolean) => reconcile(options, openFor, isBusy),
  };
}

/** Lost ones too: endpoints may have been wrong. null: still lost. */
async function lookAgain(options: SettlerOptions, row: PaymentRow): Promise<Paid | Refused | null> {
  const found = await options.chain.readAuthorization(row).catch(() => null);
  return found?.state === "settled" ? apply(options, row, found) : null;
}

/** `unreachable`: chain or ledger. */
export interface Reconciled {
  payment: PaymentRow;
  outcome: AuthorizationState["state"] | "confirmed" | "undone" | "unreachable";
}

async function reconcile(
  options: SettlerOptions,
  openFor: number,
  isBusy: (key: string) => boolean,
): Promise<Reconciled[]> {
  const { ledger, chain } = options;
  const open = await ledger.listOpenPayments(await chain.blockBefore(openFor), secondsOf(options));
  const unconfirmed = await ledger.listUnconfirmed(await chain.blockBefore(confirmedSeconds));
  const idle = [...open, ...unconfirmed].filter(({ key }) => !isBusy(key));
  const few = pLimit(atOnce);
  const outcomes = idle.map((payment) =>
    few(async () => {
      const outcome = await reconcileOne(options, payment).catch(() => "unreachable" as const);
      return outcome === null ? [] : [{ payment, outcome }];
    }),
  );
  return (await Promise.all(outcomes)).flat();
}

/** null: nothing to tell yet. */
async function reconcileOne(options: SettlerOptions, row: PaymentRow): Promise<Reconciled["outcome"] | null> {
  const found = await options.chain.readAuthorization(row);
  if (row.state === "settled") return reviewSettled(options, row, found);
  if (found.state === "unclear") return "unclear";
  const closed = await apply(options, row, found);
  return closed?.kind === "refused" ? "lost" : found.state;
}

/** Opens it again after a reorganization. */
async function reviewSettled(
  { ledger, chain, now }: SettlerOptions,
  { key }: PaymentRow,
  found: AuthorizationState,
): Promise<Reconciled["outcome"] | null> {
  if (found.state === "unclear") return "unclear";
  if (found.state === "settled") {
    if (found.time - (await chain.timeOf(found.block)) < confirmedSeconds) return null;
    await ledger.confirmPayment(key, { transaction: found.transaction, now: secondsOf({ now }) });
    return "confirmed";
  }
  await ledger.undoPayment(key);
  return "undone";
}

/** `now`: settled this moment; all who waited get the pass as issued. */
async function deliver(options: SettlerOptions, row: PaymentRow, now: boolean): Promise<Paid> {
  const receipt = {
    success: true,
    transaction: row.transaction as string,
    network: options.network,
    payer: checksum(row.payer as Address),
  } as const;
  if (row.product !== "pass") return { kind: "paid", answer: row.answer, receipt };
  const issued = now ? options.passes.describe(await findPass(options, row.key)) : null;
  return { kind: "paid", answer: issued === null ? "" : JSON.stringify(issued), receipt, fresh: issued !== null };
}

async function findPass({ ledger }: SettlerOptions, key: string): Promise<PassRow> {
  const pass = await ledger.findPassOf(key);
  assert(pass !== undefined, "a settled payment for a pass has its pass");
  return pass;
}

type SettledState = Extract<AuthorizationState, { state: "settled" }>;

async function close(options: SettlerOptions, row: PaymentRow, found: SettledState): Promise<Paid> {
  const { ledger, passes, settled } = options;
  const { transaction, time } = found;
  const since = beginOf(row, time, secondsOf(options));
  const pass = row.product === "pass" ? passes.issue(row.key, JSON.parse(row.answer) as PassTerms, since) : null;
  if (await ledger.settlePayment(row.key, { transaction, now: secondsOf(options), pass })) settled(row);
  // Another process may have closed it, so the answer shows what the ledger has.
  return deliver(options, (await ledger.findPayment(row.key)) ?? { ...row, transaction }, true);
}

/**
 * Unix seconds; by the chain, as our clock may be wrong for a while, a pass for good. An endpoint may be wrong too: from a day before the
 * authorization's end to a day after it, or after now.
 */
function beginOf({ validBefore }: PaymentRow, time: number, now: number): number {
  const latest = Math.max(now, validBefore) + longestSeconds;
  return Math.min(Math.max(time, validBefore - longestSeconds), latest);
}

/** Returns what the ledger has then: another process may know better. */
async function lose(options: SettlerOptions, row: PaymentRow, reason: Reason): Promise<Paid | Refused> {
  const { ledger } = options;
  await ledger.losePayment(row.key, { reason, now: secondsOf(options) });
  const held = await ledger.findPayment(row.key);
  return held?.state === "settled" ? deliver(options, held, true) : { kind: "refused", reason: held?.reason ?? reason };
}

/** null: still open. */
async function apply(
  options: SettlerOptions,
  row: PaymentRow,
  found: AuthorizationState,
): Promise<Paid | Refused | null> {
  if (found.state === "unclear") throw pending();
  if (found.state === "open") return null;
  if (found.state === "lost") return lose(options, row, found.reason);
  // Another replica may have joined since the row was read.
  const { senders } = (await options.ledger.findPayment(row.key)) ?? row;
  const ours = senders.split(" ");
  if (ours.includes(anyone) || ours.includes(found.sender)) return close(options, row, found);
  return lose(options, row, "payment_already_used");
}

/** Another facilitator was asked, whose wallets we do not know. */
export const anyone = "*";

function secondsOf({ now }: Pick<SettlerOptions, "now">): number {
  return Math.floor(now() / 1000);
}

const confirmBeats = [0, 0.1, 0.2, 0.4, 0.8, 1.5, 2.5, 4];
const atOnce = 8;
/** By the chain's time. */
const confirmedSeconds = 60;

export function pending(cause?: unknown): ServiceError {
  return new ServiceError("settlement_pending", undefined, { cause, retryAfterSeconds: 3 });
}

/** The caller may have paid: not to be asked again because we cannot see it. */
function refuseAsPending(cause: unknown): never {
  throw new ServiceError("settlement_pending", undefined, { cause, retryAfterSeconds: 5 });
}
