import type { Evidence } from "./evidence.ts";
import type { Explanation } from "./explanation.ts";

/** The answer for one transaction, and how it was reached. */
export interface Decision {
  explanation: Explanation;
  /** Made when it is asked for, since most callers want the answer only. */
  evidence(): Evidence;
}
