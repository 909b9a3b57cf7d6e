import { namesAccount } from "../../kernel/address.ts";
import type { MatchContext } from "../../model/match.ts";
import type { CompiledRule } from "../../rules/ruleset/compiled.ts";
import { atKnownPlace } from "../../rules/ruleset/precedence.ts";

/** A rule that fits, with the evidence that it would claim. */
export interface Candidate {
  rule: CompiledRule;
  context: MatchContext;
  /** Evidence that it would claim. Each piece explains one action only. */
  logs: number[];
  calls: number[];
  movements: number[];
  /** Ids of the steps that its call carries. They are claimed together with the call. */
  steps: number[];
  /** Movements that it explains too, unless another action claims them. */
  absorbedMovements: readonly number[];
  /** Whether its call is the only innermost call of the subject. */
  alone: boolean;
  /** Whether it is about another account than the subject, or about an unknown account. */
  foreign: boolean;
  /**
   * Whether it fits with a bystander's gift. `taken`: only if the gift is part of the act. `left`: only without the gift. null: there is no
   * gift, or the first way to try it fitted.
   */
  gift: "taken" | "left" | null;
  /** Its place in the transaction: the index of the anchor's log, else the number of logs. */
  position: number;
  /** Tries the same rule again on the money that is left when other actions explain some movements; null where money plays no part. */
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
  /** Events whose rule would fit if they named the subject. They name somebody else, or are of a known contract. */
  ofOthers?: readonly Pick<Candidate, "rule" | "context">[];
  /** What was left out because of a limit, in words. */
  truncated: string[];
}

/**
 * Whether a rule may be tried again on what other actions leave: rules of proven places, exchanges by money flow, and calls of the subject.
 */
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
