import { learnSignatures, type SignatureFacts, signatureFacts } from "../abi/signature.ts";
import { DocumentCache } from "../documents/kept-file.ts";
import { schemaText } from "../documents/validator.ts";
import type { LoadedRuleset } from "./compile-documents.ts";
import { engineVersion } from "./document/engine-version.ts";
import { ruleSchema, tableSchemas } from "./document/rule-schemas.ts";
import { shippedWordingText } from "./wording/folder-wording.ts";
import type { WordingDocument } from "./wording/wording.ts";

/**
 * The text of a rule file. `value`: its data, where an earlier start read it without a mistake; it is then neither parsed nor checked
 * again.
 */
export interface RuleSource {
  file: string;
  text: string;
  /** Position of its folder among several. Of two files with one protocol, the one in the later folder is reported. */
  folder?: number;
  value?: unknown;
}

/** What an earlier start kept of the same files. */
export interface KeptRules {
  /** The values of the files, without their examples, which only lint reads. */
  values: readonly unknown[];
  signatures: Record<string, SignatureFacts>;
  fingerprint: string;
  wording: WordingDocument;
}

/** Opens the cache of a set of rule files. Other texts, another schema or another engine version use another cache file. */
export function openRuleCache(dir: string, sources: readonly RuleSource[]): DocumentCache<KeptRules> {
  const schemas = [ruleSchema, ...tableSchemas.values()].map(({ name }) => schemaText(name));
  const texts = sources.flatMap(({ file, text }) => [file, text]);
  return new DocumentCache(dir, "rules", [...[engineVersion, shippedWordingText(), ...schemas], ...texts]);
}

/**
 * Reads what was kept of `count` files. Undefined when there is no usable cache. The kept facts about signatures become known to the ABI
 * reader.
 */
export function readKept(cache: DocumentCache<KeptRules>, count: number): KeptRules | undefined {
  const kept = cache.read(
    ({ values, signatures, fingerprint, wording }) =>
      values?.length === count && [signatures, fingerprint, wording].every((part) => part !== undefined),
  );
  if (kept !== undefined) learnSignatures(kept.signatures);
  return kept;
}

/** What to keep of rules without a mistake. `values` are in the order of the sources. */
export function keptOf(values: readonly unknown[], { ruleset, wording }: LoadedRuleset): KeptRules {
  return {
    values: values.map(withoutExampleList),
    signatures: signatureFacts(),
    fingerprint: ruleset.fingerprint,
    wording,
  };
}

/** The value of a rule file without its examples, which only lint reads. */
export function withoutExampleList(value: unknown): unknown {
  if (value === null) return null;
  const { examples: _, ...rest } = value as { examples?: unknown };
  return rest;
}
