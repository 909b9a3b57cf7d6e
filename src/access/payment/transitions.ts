import type { PaymentRow } from "../ledger/rows.ts";

/** A state of a payment, and what the same request with the same payment is answered in it, by every replica. */
export const paymentStates = {
  none: "It is checked, the work is done, and the row is opened.",
  settling: "Money may be moving. It is followed: 200 once it is settled, else 503 `settlement_pending`.",
  settled: "200 with the answer and the receipt.",
  confirmed: "200 with the answer and the receipt.",
  failed: "Nothing was sent, as far as is known. The chain is asked, then it is checked as if it were new.",
  lost: "402 with the reason. The chain can never take it.",
} as const;

export type MachineState = keyof typeof paymentStates;

export interface Transition {
  /** The method of the ledger that makes it: one statement, guarded by the states in `from`. Elsewhere it changes nothing. */
  step:
    | "openPayment"
    | "takeOver"
    | "settlePayment"
    | "buyLine"
    | "confirmPayment"
    | "undoPayment"
    | "dropPayment"
    | "losePayment";
  from: readonly MachineState[];
  to: MachineState;
  when: string;
}

/** Every way in which a payment changes its state. docs/charging.md shows the same table. */
export const transitions: readonly Transition[] = [
  {
    step: "openPayment",
    from: ["none", "failed"],
    to: "settling",
    when: "The answer is ready, the payment is valid, and the payer's balance covers it. Nothing was sent yet.",
  },
  {
    step: "takeOver",
    from: ["settling"],
    to: "settling",
    when: "The same payment came again, the chain has not taken it, and nobody works on it any more. It is sent again.",
  },
  {
    step: "settlePayment",
    from: ["settling", "failed", "lost"],
    to: "settled",
    when: "Our own endpoint shows the transfer, after the block at which the row was opened.",
  },
  {
    step: "buyLine",
    from: ["settled"],
    to: "settled",
    when: "A line of a batch is about to be sent, and the payment has credit. It is written with its answer, once for each hash.",
  },
  {
    step: "buyLine",
    from: ["confirmed"],
    to: "confirmed",
    when: "As from `settled`.",
  },
  {
    step: "confirmPayment",
    from: ["settled"],
    to: "confirmed",
    when: "The transfer is still there 30 blocks later.",
  },
  {
    step: "undoPayment",
    from: ["settled"],
    to: "settling",
    when: "A reorganization took the transfer back, and the authorization is open again.",
  },
  {
    step: "dropPayment",
    from: ["settling"],
    to: "failed",
    when: "Our own facilitator sent nothing, and nobody else tried.",
  },
  {
    step: "losePayment",
    from: ["settling", "failed"],
    to: "lost",
    when: "On chain the authorization is expired, canceled, or used by somebody who is not us. Its pass ends.",
  },
];

/** The state of a row of the ledger. */
export function stateOf(row: Pick<PaymentRow, "state" | "confirmedAt"> | undefined): MachineState {
  if (row === undefined) return "none";
  if (row.state === "settled") return row.confirmedAt === null ? "settled" : "confirmed";
  if (row.state === "failed") return row.confirmedAt === null ? "failed" : "lost";
  return "settling";
}
