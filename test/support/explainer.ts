import { createExplainer, type Explainer, type ExplainerOptions } from "../../src/explain/explain.ts";
import type { Hash } from "../../src/kernel/hex.ts";
import type { CaseFile } from "../../src/model/case-file.ts";

/** The real explainer over case files that a test gives: nothing is fetched or looked up. */
export function explainerOver(
  options: Partial<ExplainerOptions> & {
    gather(hash: Hash): Promise<CaseFile>;
    decide: ExplainerOptions["stages"]["decide"];
  },
): Explainer {
  const { gather, decide, ...rest } = options;
  const none = () => {
    throw new Error("no case file was given");
  };
  return createExplainer({
    stages: { fetch: none, plan: none, lookUp: none, decide },
    recordings: { find: gather },
    cacheBytes: 10_000_000,
    ...rest,
  });
}
