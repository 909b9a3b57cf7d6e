import { learnSignatures, type SignatureFacts, signatureFacts } from "../abi/signature.ts";
import { DocumentCache } from "../documents/kept-file.ts";
import { schemaTexts } from "../documents/validator.ts";
import type { LoadedRuleset } from "./compile-documents.ts";
import { engineVersion } from "./document/engine-version.ts";
import { ruleSchema, tableSchemas } from "./document/rule-schemas.ts";
import { shippedWordingText } from "./wording/folder-wording.ts";
import type { WordingDocument } from "./wording/wording.ts";

/** `value`: read by an earlier start without a mistake; neither parsed nor checked again. */
export interface RuleSource {
  file: string;
  text: string;
  /** Among several. Of two files with one protocol, the later folder's is reported. */
  folder?: number;
  value?: unknown;
}

export interface KeptRules {
  /** Without examples, which only lint reads. */
  values: readonly unknown[];
  signatures: Record<string, SignatureFacts>;
  fingerprint: string;
  wording: WordingDocument;
}

/** Other texts, schema or engine version: another cache file. */
export function openRuleCache(dir: string, sources: readonly RuleSource[]): DocumentCache<KeptRules> {
  const schemas = [ruleSchema, ...tableSchemas.values()].flatMap(({ name }) => [...schemaTexts(name).values()]);
  const texts = sources.flatMap(({ file, text }) => [file, text]);
  return new DocumentCache(dir, "rules", [...[engineVersion, shippedWordingText(), ...schemas], ...texts]);
}

/** Undefined without a usable cache. Also teaches the ABI reader its signatures. */
export function readKept(cache: DocumentCache<KeptRules>, count: number): KeptRules | undefined {
  const kept = cache.read(
    ({ values, signatures, fingerprint, wording }) =>
      values?.length === count && [signatures, fingerprint, wording].every((part) => part !== undefined),
  );
  if (kept !== undefined) learnSignatures(kept.signatures);
  return kept;
}

/** `values`: in the order of the sources. */
export function keptOf(values: readonly unknown[], { ruleset, wording }: LoadedRuleset): KeptRules {
  return {
    values: values.map(withoutExampleList),
    signatures: signatureFacts(),
    fingerprint: ruleset.fingerprint,
    wording,
  };
}

export function withoutExampleList(value: unknown): unknown {
  if (value === null) return null;
  const { examples: _, ...rest } = value as { examples?: unknown };
  return rest;
}
