import type { Candidate } from "../match/candidate.ts";

/** Positions of the logs of admitted emitters that say nothing new beside what the rule tells (`absorbs`). */
export function absorbedLogs({ rule, context }: Candidate): number[] {
  const absorbed: number[] = [];
  for (const { event, gate } of rule.absorbs)
    for (const { address, index } of context.logsWith(event.hash))
      if (context.admits(gate, address)) absorbed.push(index);
  return absorbed;
}
