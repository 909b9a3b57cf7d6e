import type { ServiceError } from "../../kernel/error.ts";
import type { PricedCall } from "../access/admission.ts";
import type { ResourcePath } from "../access/payment/offers.ts";
import type { Sold } from "./answer-kind.ts";
import type { Caller, PassTender, Tender } from "./caller.ts";

/** Where a request comes from, and which product it is about. */
export interface RequestOrigin {
  readonly transport: "http" | "mcp";
  readonly product: PricedCall["product"];
  readonly resource: ResourcePath;
  readonly caller: Caller;
}

/**
 * A request that asks for nothing, where calls are metered: it is told the price. `refusal`: what it is told instead while the client has a
 * free call; null: it asks for the price on purpose.
 */
export interface PriceQuestion {
  refusal: ServiceError | null;
}

/** A request for an answer of some kind. */
export interface AnswerRequest<Asked, T extends Sold> extends RequestOrigin {
  /** Reads the request. The tender is read only where calls are metered. Throws ServiceError. */
  read(metered: boolean): { asked: Asked; tender?: Tender } | PriceQuestion;
  /** Whether the caller has this answer already. */
  isHeld(answer: T): boolean;
}

export interface PassRequest extends RequestOrigin {
  /** Reads the payment, and what shows its buyer. Throws ServiceError. */
  read(): PassTender;
}
