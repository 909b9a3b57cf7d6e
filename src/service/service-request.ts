import type { PricedCall } from "../access/admission.ts";
import type { ResourcePath } from "../access/payment/offers.ts";
import type { Payment } from "../access/payment/payment.ts";
import type { Sold } from "./answer-kind.ts";
import type { Caller, Tender } from "./caller.ts";

/** Where a request comes from, and which product it is about. */
export interface RequestOrigin {
  readonly transport: "http" | "mcp";
  readonly product: PricedCall["product"];
  readonly resource: ResourcePath;
  readonly caller: Caller;
}

/** A request for an answer of some kind. */
export interface AnswerRequest<Asked, T extends Sold> extends RequestOrigin {
  /**
   * Reads the request. Called after the rate limit. The tender is read only where calls are metered. null: the caller asks for the price.
   * Throws ServiceError.
   */
  read(metered: boolean): { asked: Asked; tender?: Tender } | null;
  /** Whether the caller has this answer already. */
  isHeld(answer: T): boolean;
}

export interface PassRequest extends RequestOrigin {
  /** Reads the payment and the claim. Called after the rate limit. Throws ServiceError. */
  read(): { payment: Payment | undefined; claim: string | undefined };
}
