import type { Ask } from "../queue/database.ts";
import type { RangeJob } from "../queue/range-job.ts";
import type { BlockRange } from "../queue/ranges.ts";
import { anything } from "./holding-key.ts";
import { hashKey, mayHold } from "./holdings.ts";
import { changedKeys, type RuleSources } from "./rule-sources.ts";

export interface CarryOverOptions extends RangeJob {
  ruleset: string;
  sources: RuleSources;
  covered: readonly BlockRange[];
}

/**
 * Parts of earlier rulesets that this one would give too: no difference concerns anything in them. Newer rulesets first. Returns the number
 * of ranges.
 */
export async function carryOver(ask: Ask, { covered, ...wanted }: CarryOverOptions): Promise<number> {
  const { rows: earlier } = await ask(
    "SELECT ruleset, files FROM txgloss_bulk.ruleset WHERE ruleset <> $1 ORDER BY planned_at DESC LIMIT $2",
    [wanted.ruleset, rulesetsMax],
  );
  const taken = [...covered];
  let carried = 0;
  for (const { ruleset, files } of earlier) {
    const changed = changedKeys(files as RuleSources, wanted.sources);
    if (changed.includes(anything)) continue;
    carried += await carryFrom(ask, { ...wanted, from: ruleset, changed: changed.map(hashKey), taken });
  }
  return carried;
}

/** Earlier rulesets that are compared. */
const rulesetsMax = 20;
/** Parts read at once; a filter may have some hundred kilobytes. */
const pageRows = 50;

interface CarrySource extends Omit<CarryOverOptions, "covered"> {
  from: string;
  changed: readonly number[];
  /** Grows. */
  taken: BlockRange[];
}

async function carryFrom(ask: Ask, given: CarrySource): Promise<number> {
  const { from, ruleset, format, traces, state, changed, taken } = given;
  let carried = 0;
  for (let next = given.first; ; ) {
    const { rows } = await ask(
      `SELECT r.first_block AS first, r.last_block AS last, r.part, p.holds
       FROM txgloss_bulk.range r JOIN txgloss_bulk.part p ON p.name = r.part
       WHERE r.ruleset = $1 AND r.format = $2 AND r.traces = $3 AND r.state = $4 AND r.first_block >= $5 AND r.last_block <= $6
       ORDER BY r.first_block LIMIT $7`,
      [from, format, traces, state, next, given.last, pageRows],
    );
    for (const { first, last, part, holds } of rows) {
      next = last + 1;
      if (taken.some((one) => one.first <= last && first <= one.last) || mayHold(holds, changed)) continue;
      await ask(
        `INSERT INTO txgloss_bulk.range (ruleset, format, first_block, last_block, traces, state, part)
         VALUES ($1, $2, $3, $4, $5, $6, $7)`,
        [ruleset, format, first, last, traces, state, part],
      );
      taken.push({ first, last });
      carried++;
    }
    if (rows.length < pageRows) return carried;
  }
}
