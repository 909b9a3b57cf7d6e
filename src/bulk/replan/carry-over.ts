import type { PartFormat } from "../parts/part-writer.ts";
import type { Ask } from "../queue/database.ts";
import type { BlockRange } from "../queue/ranges.ts";
import type { RuleSources } from "./rule-sources.ts";

export async function carryOver(
  _ask: Ask,
  _given: BlockRange & {
    ruleset: string;
    format: PartFormat;
    sources: RuleSources;
    traces: boolean;
    state: boolean;
    covered: readonly BlockRange[];
  },
): Promise<number> {
  return 0;
}
