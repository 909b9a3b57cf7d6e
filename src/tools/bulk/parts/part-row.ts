import { decimalText } from "../../../kernel/amount.ts";
import type { CaseFile } from "../../../model/case-file.ts";
import type { Decision } from "../../../model/decision.ts";
import type { Explanation } from "../../../model/explanation.ts";
import type { Labels } from "../../../model/label.ts";
import { findGaps, type GapPlace } from "../../volume/gaps.ts";

/** One transaction of a part: its answer, its place in the block, and what the answer leaves unexplained. */
export interface PartRow extends Explanation {
  transaction_index: number;
  /** Calls and events that no rule explains. */
  unexplained: GapPlace[];
  /** Value that moved unexplained, in ether, as a decimal number; see {@link findGaps}. */
  unexplained_eth: string;
}

/** Makes the row of a decided case. */
export function rowOf(
  file: CaseFile,
  decision: Decision,
  { index, labels }: { index: number; labels: Labels },
): PartRow {
  const { places, worth } = findGaps(decision, file, labels);
  return {
    ...decision.explanation,
    transaction_index: index,
    unexplained: places,
    unexplained_eth: decimalText(worth, 18),
  };
}
