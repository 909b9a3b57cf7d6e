import type { Evidence } from "./evidence.ts";
import type { Explanation } from "./explanation.ts";

/** The answer for one transaction, and how it was reached. */
export interface Decision {
  explanation: Explanation;
  /** Built on demand: callers that only want the answer do not pay for it. */
  evidence(): Evidence;
}
