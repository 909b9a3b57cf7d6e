import type { ServiceError } from "../../kernel/error.ts";
import type { PricedCall } from "../access/admission.ts";
import type { ResourcePath } from "../access/payment/offers.ts";
import type { Sold } from "./answer-kind.ts";
import type { Caller, PassTender, Tender } from "./caller.ts";

export interface RequestOrigin {
  readonly transport: "http" | "mcp";
  readonly product: PricedCall["product"];
  readonly resource: ResourcePath;
  readonly caller: Caller;
}

/** Asks nothing where metered: told the price. `refusal`: told while a call is free; null: asks on purpose. */
export interface PriceQuestion {
  refusal: ServiceError | null;
}

export interface AnswerRequest<Asked, T extends Sold> extends RequestOrigin {
  /** Tender only where metered. Throws ServiceError. */
  read(metered: boolean): { asked: Asked; tender?: Tender } | PriceQuestion;
  /** The caller has it. */
  isHeld(answer: T): boolean;
}

export interface PassRequest extends RequestOrigin {
  /** Throws ServiceError. */
  read(): PassTender;
}
