import type { ActorCall } from "../../model/match.ts";
import type { Call } from "../../model/transaction.ts";

/** Steps of a program are no calls; they belong to the call around them. */
export function leafCalls(calls: readonly ActorCall[]): readonly ActorCall[] {
  if (calls.length === 1) return calls[0]?.step === null ? calls : [];
  const holders = new Set<number>();
  for (const call of calls)
    if (call.step === null)
      for (let at = call.parent; at >= 0 && !holders.has(at); at = calls[at]?.parent ?? -1) holders.add(at);
  return calls.filter((call) => call.step === null && !holders.has(call.id));
}

/** With those of nested programs. */
export function stepsOf(calls: readonly ActorCall[], call: ActorCall): number[] {
  if (call.step !== null || !calls.some(({ step }) => step !== null)) return [];
  const inside = new Set([call.id]);
  for (const other of calls) if (other.step !== null && inside.has(other.parent)) inside.add(other.id);
  inside.delete(call.id);
  return [...inside];
}

/** Index of the first frame after it that is not inside; pre-order. */
export function frameEnd(calls: readonly Call[], frame: number): number {
  const depth = calls[frame]?.depth ?? 0;
  const end = calls.findIndex((call) => call.index > frame && call.depth <= depth);
  return end < 0 ? calls.length : end;
}

/** How many calls are around it. */
export function depthOf(calls: readonly ActorCall[], index: number): number {
  let depth = 0;
  for (let at = (calls[index] as ActorCall).parent; at >= 0; at = (calls[at] as ActorCall).parent) depth++;
  return depth;
}
