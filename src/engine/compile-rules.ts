import { signatureFacts } from "../rules/abi/signature.ts";
import { compileLabelFacts, type LabelFile } from "../rules/labels/load.ts";
import { engineVersion } from "../rules/ruleset/document/engine-version.ts";
import { compileSources } from "../rules/ruleset/load.ts";
import { type RuleSource, withoutExampleList } from "../rules/ruleset/rule-cache.ts";
import { writeWording } from "../rules/ruleset/wording/written-wording.ts";
import type { CompiledRules } from "./compiled-rules.ts";
import { refuseErrors } from "./engine.ts";

/** Throws EngineError with all mistakes and their places. */
export function compileRules({
  rules,
  labels,
}: {
  rules: readonly RuleSource[];
  labels: readonly LabelFile[];
}): CompiledRules {
  const { ruleset, values, diagnostics } = compileSources(rules);
  const named = compileLabelFacts(labels);
  refuseErrors([...diagnostics, ...named.diagnostics]);
  const { fingerprint } = ruleset;
  return {
    engine: engineVersion,
    documents: [...values].map(([file, value]) => ({ file, value: withoutExampleList(value) })),
    signatures: signatureFacts(),
    fingerprint,
    wording: writeWording(ruleset.wording),
    labels: named.facts,
  };
}
