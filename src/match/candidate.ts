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
  /** Steps of the program that its call carries: when one of them is told, the call is. */
  steps: number[];
  /** Movements that are taken along when nobody else claims them. */
  absorbedMovements: readonly number[];
  /** Its call is all that the subject did. */
  alone: boolean;
  /** It is told of another account than the one on whose behalf the transaction ran, or of one that is not known. */
  foreign: boolean;
  /** Whether it fits only when a bystander's gift is taken for a part of the act, or only when that is left aside; null: both. */
  gift: "taken" | "left" | null;
  /** Place in the transaction: the anchor's log, else the end. */
  position: number;
  /** The same rule on what is left of the money when these movements are explained by others; null where money plays no part. */
  refit: Refit | null;
}

export type Refit = (explained: ReadonlySet<number>) => Candidate | undefined;

/** A rule that the whole flow does not fit, but what others leave of it may. */
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

/** Whether a rule may tell of what is left: proven places, exchanges by money flow, and what the subject itself called a contract to do. */
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
