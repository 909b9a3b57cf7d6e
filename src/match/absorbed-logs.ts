import type { MatchContext } from "../model/match.ts";
import type { CompiledRule } from "../ruleset/compiled.ts";

/** Positions of the logs of admitted emitters that say nothing new beside what the rule tells (`absorbs`). */
export function absorbedLogs({ absorbs }: CompiledRule, { tx, admits }: MatchContext): number[] {
  if (absorbs.length === 0) return [];
  return tx.logs
    .filter((log) => absorbs.some(({ event, gate }) => event.hash === log.topics[0] && admits(gate, log.address)))
    .map((log) => log.index);
}
