import { namesAccount } from "../kernel/address.ts";
import type { MatchContext } from "../model/match.ts";
import type { CompiledRule } from "../ruleset/compiled.ts";
import { atKnownPlace } from "../ruleset/precedence.ts";

/** A rule that fits, with the evidence that it would claim. */
export interface Candidate {
  rule: CompiledRule;
  context: MatchContext;
  /** Evidence that may explain one action only. */
  logs: number[];
  calls: number[];
  movements: number[];
  /** Steps of the program that its call carries. When the call is claimed, so are they. */
  steps: number[];
  /** Movements that it explains as well, unless another action claims them. */
  absorbedMovements: readonly number[];
  /** Its call is the only innermost call of the subject. */
  alone: boolean;
  /** It is about another account than the one that the transaction ran for, or about one that is not known. */
  foreign: boolean;
  /** `taken`: it fits only with a bystander's gift as a part of the act. `left`: only without the gift. null: either way. */
  gift: "taken" | "left" | null;
  /** Place in the transaction: the anchor's log, else the end. */
  position: number;
  /** Fits the same rule to the money that is left when others explain some movements; null where money plays no part. */
  refit: Refit | null;
}

export type Refit = (explained: ReadonlySet<number>) => Candidate | undefined;

/** A rule that does not fit all balance changes of the account, but may fit those that other actions leave. */
export interface Deferred {
  rule: CompiledRule;
  position: number;
  refit: Refit;
}

export interface Matches {
  candidates: Candidate[];
  deferred: Deferred[];
  /** Events of known contracts that would fit if they were about the subject and not about somebody else. */
  ofOthers?: readonly Pick<Candidate, "rule" | "context">[];
  /** What was left out because of a limit. */
  truncated: string[];
}

/** Whether a rule may be fitted to what others leave: rules of proven places, exchanges by money flow, and calls of the subject. */
export function isFurther(rule: CompiledRule): boolean {
  const { anchor, exchanges } = rule;
  if (anchor.kind === "none") return exchanges;
  return anchor.kind === "call" || (anchor.kind === "event" && anchor.companion !== null) || atKnownPlace(rule);
}

/** Whether the rule's `who` names the subject; true where the rule has none. */
export function isAboutSubject({ who }: CompiledRule, context: MatchContext): boolean {
  for (const get of who) if (namesAccount(get(context), context.subject)) return true;
  return who.length === 0;
}
