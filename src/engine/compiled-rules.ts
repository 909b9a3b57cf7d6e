import { assert } from "../kernel/error.ts";
import type { Labels } from "../model/label.ts";
import { learnedSignatures, learnSignatures, type SignatureFacts } from "../rules/abi/signature.ts";
import { preparedDocument, type SourceDocument } from "../rules/documents/source-document.ts";
import { buildLabels, type LabelFacts } from "../rules/labels/lookup.ts";
import type { MessageCompiler } from "../rules/ruleset/compile/messages/message-compiler.ts";
import { compileDocuments } from "../rules/ruleset/compile-documents.ts";
import { engineVersion } from "../rules/ruleset/document/engine-version.ts";
import type { ResolvedFile } from "../rules/ruleset/document/resolve-files.ts";
import type { RuleDocument } from "../rules/ruleset/document/rule-document.ts";
import { ruleDocumentCodes } from "../rules/ruleset/document/rule-schemas.ts";
import type { Ruleset } from "../rules/ruleset/ruleset.ts";
import { readWording, type WrittenWording } from "../rules/ruleset/wording/written-wording.ts";
import { buildEngine, type Engine } from "./build-engine.ts";

/** Rules and labels as one JSON value, for programs without files: a browser, a worker. `rule-lint compile` writes it. */
export interface CompiledRules {
  engine: string;
  /** Resolved, in the order of their files. */
  documents: readonly { file: string; value: unknown }[];
  /** Saves parsing and hashing. */
  signatures: Readonly<Record<string, SignatureFacts>>;
  fingerprint: string;
  wording: WrittenWording;
  labels: Omit<LabelFacts, "extraNames">;
}

/** Compiled for another version of the engine. */
export class CompiledRulesError extends Error {
  readonly code = "compiled_for_other_version";

  constructor(found: unknown) {
    super(
      `The compiled rules are for engine ${JSON.stringify(found)}, and this is engine "${engineVersion}". Compile them again with this version.`,
    );
    this.name = "CompiledRulesError";
  }
}

/** Answers equal those of the folders byte for byte. Throws CompiledRulesError. */
export function openCompiledRules(compiled: CompiledRules): Engine {
  const { ruleset, labels } = readCompiledRules(compiled, null);
  return buildEngine(ruleset, labels);
}

/** Rules about messages need a compiler. Throws CompiledRulesError. */
export function readCompiledRules(
  compiled: CompiledRules,
  messages: MessageCompiler | null,
): { ruleset: Ruleset; labels: Labels } {
  const { engine, documents, signatures, fingerprint, wording } = compiled ?? {};
  if (engine !== engineVersion) throw new CompiledRulesError(engine);
  learnSignatures(signatures);
  const { ruleset } = compileDocuments(
    documents.map(({ file, value }) => preparedDocument(file, ruleDocumentCodes, value)),
    {
      fingerprint: () => fingerprint,
      wording: () => ({ wording: readWording(wording), document: { phrases: {} } }),
      messages,
      signatures: learnedSignatures,
      help: null,
      resolve: takeResolved,
      diagnostics: [],
      reporterOf: ({ file }) => ({ file, checked: true, report: refuse }),
    },
  );
  return { ruleset, labels: buildLabels({ ...compiled.labels, extraNames: ruleset.names }) };
}

function refuse(): undefined {
  assert(false, "a rule has a mistake");
}

/** Already resolved. */
function takeResolved(opened: readonly SourceDocument[]): ResolvedFile[] {
  return opened.map((source) => ({
    source,
    written: undefined,
    document: (source.value as RuleDocument | null) ?? undefined,
  }));
}
