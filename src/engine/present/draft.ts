import type { Address } from "../../kernel/address.ts";
import type { Phrase } from "../../model/phrase.ts";

/** An act in words, and the account that did it. */
export interface Act extends Phrase {
  account: Address | null;
  subject: string;
  predicate: string;
}

/** Everything that a summary may say, before it is shortened. */
export interface SummaryDraft {
  first: Act;
  /** Changes of who controls the account, beside the headline. They and the losses go before other acts. */
  controls: readonly Phrase[];
  losses: readonly { predicate: Phrase; clause?: Phrase }[];
  /** Whether a sentence only counts what an account lost. */
  counted: boolean;
  /**
   * How many of the last entries in `losses` are silent calls, and how many before them allowances: nothing has left the account by them.
   */
  called: number;
  allowed: number;
  acts: readonly Act[];
  /** Whole clauses about other accounts. */
  beside: readonly Phrase[];
  remark: Phrase | null;
  fee: Phrase | null;
  last: Phrase | undefined;
  /** A sentence that follows the headline in every case. */
  must: Phrase | null;
  /** Puts the headline into its sentence: that it happened, failed or was simulated. */
  frame: (told: Phrase) => Phrase;
}

/** How many of each kind are told in words; the rest is counted. */
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
  // "And one more step" is as long as the step itself, so a single further step is told in words.
  const most = acts.length === actsMax && must === 0 ? actsMax : Math.max(0, 2 - must);
  // Where there is a remark, no further acts are told.
  if (shown > (remark === null ? most : 0)) return [];
  const room = (controlsMax: number, lossesMax: number): Room => ({
    controls: Math.min(controls.length, controlsMax),
    losses: Math.min(losses.length, lossesMax),
    acts: shown,
    beside: Math.min(beside.length, lossesMax),
  });
  return shown > 0 ? [room(6, 4)] : [room(6, 4), room(3, 2), room(1, 1)];
}

/** At most this many further acts are told in words. */
export const actsMax = 3;

export function cuts({ counted, controls, losses, beside }: SummaryDraft, room: Room): boolean {
  return counted || room.controls < controls.length || room.losses < losses.length || room.beside < beside.length;
}
