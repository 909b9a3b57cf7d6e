import type { Address } from "../kernel/address.ts";
import type { Phrase } from "../model/phrase.ts";

/** An act in words. */
export interface Act extends Phrase {
  account: Address | null;
  subject: string;
  predicate: string;
}

/** What there is to say. */
export interface SummaryDraft {
  first: Act;
  /** Other changes of who controls the account. They and the losses go before other acts. */
  controls: readonly Phrase[];
  losses: readonly Phrase[];
  /** Whether a sentence only counts what an account lost. */
  counted: boolean;
  /** How many of the losses, the last ones, are allowances: nothing has gone yet. */
  allowed: number;
  acts: readonly Act[];
  /** Whole clauses about other accounts. */
  beside: readonly Phrase[];
  remark: Phrase | null;
  fee: Phrase | null;
  last: Phrase | undefined;
  /** A sentence that goes right after the headline, whatever else there is. */
  must: Phrase | null;
  /** What is said around the headline. */
  frame: (told: Phrase) => Phrase;
}

/** How many of each are said in words. */
export interface Room {
  controls: number;
  losses: number;
  acts: number;
  beside: number;
}

/**
 * The ways to shorten a summary, from the longest to the shortest: first other acts are only counted, then losses and changes of control.
 */
export function roomsOf({ controls, losses, acts, beside, remark }: SummaryDraft, shown: number): Room[] {
  const must = controls.length + losses.length;
  // "And one more step" takes as much room as the step itself.
  const most = acts.length === actsMax && must === 0 ? actsMax : Math.max(0, 2 - must);
  // A remark takes the place of the acts.
  if (shown > (remark === null ? most : 0)) return [];
  const room = (controlsMax: number, lossesMax: number): Room => ({
    controls: Math.min(controls.length, controlsMax),
    losses: Math.min(losses.length, lossesMax),
    acts: shown,
    beside: Math.min(beside.length, lossesMax),
  });
  return shown > 0 ? [room(6, 4)] : [room(6, 4), room(3, 2), room(1, 1)];
}

/** Other acts that are told in words, at most. */
export const actsMax = 3;

export function cuts({ counted, controls, losses, beside }: SummaryDraft, room: Room): boolean {
  return counted || room.controls < controls.length || room.losses < losses.length || room.beside < beside.length;
}
