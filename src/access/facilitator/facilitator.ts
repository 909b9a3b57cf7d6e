import type { FacilitatorClient, x402ResourceServer } from "@x402/core/server";
import { type PaymentPayload, type PaymentRequirements, SettleError, VerifyError } from "@x402/core/types";
import { ServiceError } from "../../kernel/error.ts";

export type Verification = { valid: true } | { valid: false; reason: string };

/**
 * The result of settling a payment. `refused`: no money moved. `unknown`: money may have moved, or may move later.
 */
export type Settlement =
  | { status: "settled"; transaction: string }
  | { status: "refused"; reason: string }
  | { status: "unknown" };

/** Checks payments and sends them to the chain. Only its reason codes reach callers, never its texts or URLs. */
export type Facilitator = ReturnType<typeof createFacilitator>;

/** The facilitator behind an x402 client. */
export function createFacilitator(client: FacilitatorClient, server: x402ResourceServer) {
  return {
    /** Rejects with ServiceError `payments_unavailable` when there is no verdict. */
    async verify(payload: PaymentPayload, requirements: PaymentRequirements): Promise<Verification> {
      try {
        const { isValid, invalidReason } = await server.verifyPayment(payload, requirements);
        return isValid ? { valid: true } : { valid: false, reason: readReason(invalidReason, "payment_invalid") };
      } catch (cause) {
        // Some facilitators answer status 400 for an invalid payment. Without a reason, or with status 5xx, it is no verdict.
        if (cause instanceof VerifyError && cause.statusCode < 500 && cause.invalidReason !== undefined) {
          return { valid: false, reason: readReason(cause.invalidReason, "payment_invalid") };
        }
        throw unavailable(cause);
      }
    },
    /** Never rejects. */
    async settle(payload: PaymentPayload, requirements: PaymentRequirements): Promise<Settlement> {
      try {
        return readSettlement(await server.settlePayment(payload, requirements), 200);
      } catch (error) {
        return error instanceof SettleError ? readSettlement({ ...error, success: false }, error.statusCode) : unknown;
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

function readSettlement(
  result: { success: boolean; transaction?: string; errorReason?: string | undefined },
  status: number,
): Settlement {
  const transaction = result.transaction ?? "";
  if (result.success) return /^0x[0-9a-f]{64}$/i.test(transaction) ? { status: "settled", transaction } : unknown;
  if (transaction !== "" || status >= 500 || result.errorReason === undefined) return unknown;
  if (result.errorReason === "settlement_pending") return unknown;
  return { status: "refused", reason: readReason(result.errorReason, "settlement_failed") };
}

/** Only codes are passed on. A sentence could contain URLs and keys of the facilitator. */
function readReason(reason: string | undefined, otherwise: string): string {
  return reason !== undefined && /^[a-z0-9_]{1,96}$/.test(reason) ? reason : otherwise;
}

function unavailable(cause: unknown): ServiceError {
  return new ServiceError("payments_unavailable", undefined, { cause, retryAfterSeconds: 5 });
}
