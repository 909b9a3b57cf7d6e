import type { Address } from "../../kernel/address.ts";
import type { CheckStatus } from "../../model/explanation.ts";
import type { ControlChange } from "./facts/control.ts";
import type { Facts } from "./facts/facts.ts";
import type { NetLoss } from "./facts/losses.ts";
import type { Authority } from "./facts/principals.ts";
import type { Right } from "./facts/rights.ts";
import type { Knowledge } from "./knowledge.ts";
import type { AnswerReading } from "./telling.ts";

/** The input of each law. */
export interface Scene {
  facts: Facts;
  knowledge: Knowledge;
  telling: AnswerReading;
  /** The sender first. */
  principals: ReadonlyMap<Address, Authority>;
  /** In the order of the principals. */
  losses: readonly NetLoss[];
  rights: readonly Right[];
  controls: readonly ControlChange[];
}

/** `not_applicable` claims as much as `ok`: that there was nobody to check. */
export function isClaim(status: CheckStatus): boolean {
  return status === "ok" || status === "not_applicable";
}
