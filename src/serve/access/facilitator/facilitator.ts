import type { FacilitatorClient, x402ResourceServer } from "@x402/core/server";
import { type PaymentPayload, type PaymentRequirements, VerifyError } from "@x402/core/types";
import { ServiceError } from "../../../kernel/error.ts";

export type Verification = { valid: true } | { valid: false; reason: string };

/**
 * Only the chain shows whether it is true. `unsent`: our own facilitator sent nothing; `reason`: what is wrong with the payment, null: the
 * problem is ours. `unknown`: money may have moved or may move, also after another facilitator's refusal: it holds the signed payment.
 */
export type Settlement =
  | { status: "settled"; transaction: string }
  | { status: "unsent"; reason: string | null }
  | { status: "unknown" };

/** Nothing was sent. `reason`: what is wrong with the payment; null: the problem is ours. */
export class UnsentError extends Error {
  readonly reason: string | null;

  constructor(reason: string | null) {
    super("nothing was sent");
    this.name = "UnsentError";
    this.reason = reason;
  }
}

/** Only reason codes reach callers, no texts or URLs. */
export type Facilitator = ReturnType<typeof createFacilitator>;

export function createFacilitator(client: FacilitatorClient, server: x402ResourceServer) {
  return {
    /** Rejects with ServiceError `payments_unavailable`: no verdict. */
    async verify(payload: PaymentPayload, requirements: PaymentRequirements): Promise<Verification> {
      try {
        const { isValid, invalidReason } = await server.verifyPayment(payload, requirements);
        return isValid ? { valid: true } : { valid: false, reason: readReason(invalidReason, "payment_invalid") };
      } catch (cause) {
        // Some answer an invalid payment with 400. No reason, or 5xx: no verdict.
        if (cause instanceof VerifyError && cause.statusCode < 500 && cause.invalidReason !== undefined) {
          return { valid: false, reason: readReason(cause.invalidReason, "payment_invalid") };
        }
        throw unavailable(cause);
      }
    },
    /** Never rejects. */
    async settle(payload: PaymentPayload, requirements: PaymentRequirements): Promise<Settlement> {
      try {
        return readSettlement(await server.settlePayment(payload, requirements));
      } catch (error) {
        if (!(error instanceof UnsentError)) return unknown;
        return { status: "unsent", reason: error.reason && readReason(error.reason, "settlement_failed") };
      }
    },
    /** Settles our scheme on this network. Rejects with ServiceError `payments_unavailable`. */
    async supports(network: string): Promise<boolean> {
      try {
        const { kinds } = await client.getSupported();
        return kinds.some((kind) => kind.x402Version === 2 && kind.scheme === "exact" && kind.network === network);
      } catch (cause) {
        throw unavailable(cause);
      }
    },
  };
}

const unknown: Settlement = { status: "unknown" };

function readSettlement(result: { success: boolean; transaction?: string }): Settlement {
  const transaction = result.transaction ?? "";
  return result.success && /^0x[0-9a-f]{64}$/i.test(transaction) ? { status: "settled", transaction } : unknown;
}

/** Codes only: a sentence may hold URLs and keys. */
function readReason(reason: string | undefined, otherwise: string): string {
  return reason !== undefined && /^[a-z0-9_]{1,96}$/.test(reason) ? reason : otherwise;
}

function unavailable(cause: unknown): ServiceError {
  return new ServiceError("payments_unavailable", undefined, { cause, retryAfterSeconds: 5 });
}
