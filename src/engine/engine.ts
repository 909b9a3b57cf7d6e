import { createHash } from "node:crypto";
import { fileURLToPath } from "node:url";
import packageJson from "../../package.json" with { type: "json" };
import type { Address } from "../kernel/address.ts";
import { loadLabels } from "../labels/load.ts";
import type { CaseFile, CaseFileV1 } from "../model/case-file.ts";
import type { Decision } from "../model/decision.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { Labels, NameLabel } from "../model/label.ts";
import type { LookupPlan } from "../model/lookup-plan.ts";
import { type Catalog, listCatalog } from "../ruleset/catalog.ts";
import { granteeOf } from "../ruleset/grant-table.ts";
import { loadRuleset } from "../ruleset/load.ts";
import { decide, plan } from "./decide.ts";

/** The version of the package. */
export const version: string = packageJson.version;

/** Decides with one set of rules and labels. It has no network and no clock. */
export interface Engine {
  /** Hash of rules, labels and engine version: equal hashes give equal explanations. */
  ruleset: string;
  /** Every value of action_type. */
  actionTypes: readonly string[];
  /** What the rules cover, for whoever asks. */
  catalog: Catalog;
  labels: Labels;
  /** Contracts of rule files with their names there; `category` is the id of the file's protocol. */
  contracts: readonly NameLabel[];
  /** Explains a case file of any version. */
  decide(caseFile: CaseFile | CaseFileV1): Decision;
  /** As {@link granteeOf}, by the rules. */
  granteeOf(to: Address, input: string): Address | null | undefined;
  /** What to look up for the draft of a case file. At most `lookupsMax` addresses are examined. */
  planLookups(draft: CaseFile | CaseFileV1, lookupsMax?: number): LookupPlan;
}

/** Where rules and labels lie. */
export interface EngineFolders {
  rulesDir: string;
  labelsDir: string;
}

/** Where tools keep what they can make again. */
const documentCache = fileURLToPath(new URL("../../node_modules/.cache/txgloss", import.meta.url));

/** Reads and compiles rules and labels. Mistakes in them are returned; an engine with errors among them is not to be used. */
export function loadEngine(folders: EngineFolders): {
  engine: Engine;
  diagnostics: Diagnostic[];
} {
  const rules = loadRuleset(folders.rulesDir, documentCache);
  const names = loadLabels(folders.labelsDir, rules.ruleset.names, documentCache);
  const { ruleset } = rules;
  const { labels } = names;
  const engine: Engine = {
    ruleset: hashOf(version, ruleset.fingerprint, labels.fingerprint),
    actionTypes: [...ruleset.actions.keys()].sort(),
    catalog: listCatalog(ruleset),
    labels,
    contracts: ruleset.names,
    decide(caseFile) {
      const { explanation, evidence } = decide(caseFile, ruleset, labels);
      // The hash that callers see is of labels and version too.
      return { explanation, evidence: () => ({ ...evidence(), ruleset: engine.ruleset }) };
    },
    granteeOf: (to, input) => granteeOf(ruleset.grants, to, input),
    planLookups: (draft, lookupsMax = 0) => plan(draft, { ruleset, labels, lookupsMax }),
  };
  return { engine, diagnostics: [...rules.diagnostics, ...names.diagnostics] };
}

/** Rules or labels with errors: one could make a false sentence, so nothing is explained with them. */
export class EngineError extends Error {
  constructor(errors: readonly Diagnostic[]) {
    const lines = errors.map(({ file, range, code, message }) => {
      return `  ${file}:${range.start.line}:${range.start.column} ${code} ${message}`;
    });
    super(`The rules and labels have ${errors.length} error(s):\n${lines.join("\n")}`);
    this.name = "EngineError";
  }
}

/** Loads an engine to explain with. Throws EngineError that lists every error with its place. */
export function openEngine(folders: EngineFolders): Engine {
  const { engine, diagnostics } = loadEngine(folders);
  const errors = diagnostics.filter(({ level }) => level === "error");
  if (errors.length > 0) throw new EngineError(errors);
  return engine;
}

function hashOf(...parts: readonly string[]): string {
  return createHash("sha256").update(parts.join("\n")).digest("hex").slice(0, 32);
}
