import type { ActorCall } from "../../model/match.ts";
import type { Call } from "../../model/transaction.ts";

/**
 * The innermost calls: those that hold no further calls. Steps of a contract's program do not count as calls; they belong to the call that
 * carries them.
 */
export function leafCalls(calls: readonly ActorCall[]): readonly ActorCall[] {
  if (calls.length === 1) return calls[0]?.step === null ? calls : [];
  const holders = new Set<number>();
  for (const call of calls)
    if (call.step === null)
      for (let at = call.parent; at >= 0 && !holders.has(at); at = calls[at]?.parent ?? -1) holders.add(at);
  return calls.filter((call) => call.step === null && !holders.has(call.id));
}

/** Ids of the steps in the program that a call carries, including steps of programs inside it. */
export function stepsOf(calls: readonly ActorCall[], call: ActorCall): number[] {
  if (call.step !== null || !calls.some(({ step }) => step !== null)) return [];
  const inside = new Set([call.id]);
  for (const other of calls) if (other.step !== null && inside.has(other.parent)) inside.add(other.id);
  inside.delete(call.id);
  return [...inside];
}

/** The index of the first frame after this one that was not called from inside it. Frames are in pre-order. */
export function frameEnd(calls: readonly Call[], frame: number): number {
  const depth = calls[frame]?.depth ?? 0;
  const end = calls.findIndex((call) => call.index > frame && call.depth <= depth);
  return end < 0 ? calls.length : end;
}

/** How many calls hold a call, one inside the other. */
export function depthOf(calls: readonly ActorCall[], index: number): number {
  let depth = 0;
  for (let at = (calls[index] as ActorCall).parent; at >= 0; at = (calls[at] as ActorCall).parent) depth++;
  return depth;
}
