import { decimalText } from "../../../kernel/amount.ts";
import type { CaseFile } from "../../../model/case-file.ts";
import type { Decision } from "../../../model/decision.ts";
import type { Explanation } from "../../../model/explanation.ts";
import type { Labels } from "../../../model/label.ts";
import { findGaps, type GapPlace } from "../../volume/gaps.ts";

/** The answer, its place in the block, and what it leaves unexplained. */
export interface PartRow extends Explanation {
  transaction_index: number;
  unexplained: GapPlace[];
  /** Ether, decimal; see {@link findGaps}. */
  unexplained_eth: string;
}

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
