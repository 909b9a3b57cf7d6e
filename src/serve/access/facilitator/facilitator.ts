import type { FacilitatorClient, x402ResourceServer } from "@x402/core/server";
import { type PaymentPayload, type PaymentRequirements, VerifyError } from "@x402/core/types";
import { ServiceError } from "../../../kernel/error.ts";

export type Verification = { valid: true } | { valid: false; reason: string };

/**
 * What a facilitator says about settling a payment. Only the chain can say whether it is true. `unsent`: our own facilitator sent nothing;
 * `reason` is what is wrong with the payment, or null when the problem is ours. `unknown`: money may have moved, or may move later. A
 * refusal of another facilitator is `unknown` too, because it holds the signed payment.
 */
export type Settlement =
  | { status: "settled"; transaction: string }
  | { status: "unsent"; reason: string | null }
  | { status: "unknown" };

/** Thrown by our own facilitator: nothing was sent. `reason`: what is wrong with the payment; null: the problem is ours. */
export class UnsentError extends Error {
  readonly reason: string | null;

  constructor(reason: string | null) {
    super("nothing was sent");
    this.name = "UnsentError";
    this.reason = reason;
  }
}

/** Checks payments and sends them to the chain. Only its reason codes reach callers, never its texts or URLs. */
export type Facilitator = ReturnType<typeof createFacilitator>;

/** The facilitator behind an x402 client. */
export function createFacilitator(client: FacilitatorClient, server: x402ResourceServer) {
  return {
    /** Verifies a payment. Rejects with ServiceError `payments_unavailable` when there is no verdict. */
    async verify(payload: PaymentPayload, requirements: PaymentRequirements): Promise<Verification> {
      try {
        const { isValid, invalidReason } = await server.verifyPayment(payload, requirements);
        return isValid ? { valid: true } : { valid: false, reason: readReason(invalidReason, "payment_invalid") };
      } catch (cause) {
        // Some facilitators answer an invalid payment with status 400. Without a reason, or with status 5xx, there is no verdict.
        if (cause instanceof VerifyError && cause.statusCode < 500 && cause.invalidReason !== undefined) {
          return { valid: false, reason: readReason(cause.invalidReason, "payment_invalid") };
        }
        throw unavailable(cause);
      }
    },
    /** Settles a payment. Never rejects. */
    async settle(payload: PaymentPayload, requirements: PaymentRequirements): Promise<Settlement> {
      try {
        return readSettlement(await server.settlePayment(payload, requirements));
      } catch (error) {
        if (!(error instanceof UnsentError)) return unknown;
        return { status: "unsent", reason: error.reason && readReason(error.reason, "settlement_failed") };
      }
    },
    /** Whether it settles our scheme on this network. Rejects with ServiceError `payments_unavailable` when it does not answer. */
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

/** Passes on only reasons that look like codes. A sentence could contain URLs and keys of the facilitator. */
function readReason(reason: string | undefined, otherwise: string): string {
  return reason !== undefined && /^[a-z0-9_]{1,96}$/.test(reason) ? reason : otherwise;
}

function unavailable(cause: unknown): ServiceError {
  return new ServiceError("payments_unavailable", undefined, { cause, retryAfterSeconds: 5 });
}
