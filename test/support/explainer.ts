import { createExplainer, type Explainer, type ExplainerOptions } from "../../src/gather/explain/explain.ts";
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
  return createExplainer({
    stages: {
      fetch: async (hash) => ({ draft: await gather(hash), endpoint: undefined as never, asked: [] }),
      plan: () => undefined as never,
      lookUp: async ({ draft }) => draft,
      decide,
    },
    recordings: null,
    cacheBytes: 10_000_000,
    ...rest,
  });
}
