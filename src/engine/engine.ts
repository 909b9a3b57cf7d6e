import { counted } from "../kernel/amount.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { ProtocolFacts } from "../model/told/protocol-facts.ts";
import { documentCache } from "../rules/documents/kept-file.ts";
import { loadLabels } from "../rules/labels/load.ts";
import { type Catalog, listCatalog } from "../rules/ruleset/catalog.ts";
import { loadRuleset } from "../rules/ruleset/load.ts";
import { describeProtocols } from "../rules/ruleset/protocol-facts.ts";
import { buildEngine, type Engine } from "./build-engine.ts";
import { buildMessageEngine, type MessageEngine } from "./messages/message-engine.ts";

/** Folders of rules and labels. Of several, later ones add to earlier ones. */
export interface EngineFolders {
  rulesDir: string | readonly string[];
  labelsDir: string | readonly string[];
}

/** Decides transactions and messages, and describes its rules. */
export interface WholeEngine extends Engine, MessageEngine {
  /** What the rules cover, for callers of the service. */
  catalog: Catalog;
  /** Facts about the protocols of the rule files, in order of id. */
  protocols: readonly ProtocolFacts[];
}

/** Reads and compiles rules and labels. It throws nothing: mistakes are returned. An engine with errors among them must not be used. */
export function loadEngine(folders: EngineFolders): {
  engine: WholeEngine;
  diagnostics: Diagnostic[];
} {
  const { ruleset, files, diagnostics } = loadRuleset(folders.rulesDir, documentCache);
  const names = loadLabels(folders.labelsDir, ruleset.names, documentCache);
  const engine = {
    ...buildEngine(ruleset, names.labels),
    ...buildMessageEngine(ruleset, names.labels),
    catalog: listCatalog(ruleset),
    protocols: describeProtocols(files),
  };
  return { engine, diagnostics: [...diagnostics, ...names.diagnostics] };
}

/** Thrown for rules or labels with errors. A wrong rule could make a false sentence, so nothing is explained with them. */
export class EngineError extends Error {
  readonly code = "invalid_rules";

  constructor(errors: readonly Diagnostic[]) {
    const lines = errors.map(({ file, range, code, message }) => {
      return `  ${file}:${range.start.line}:${range.start.column} ${code} ${message}`;
    });
    super(`The rules and labels have ${counted(errors.length, "error")}:\n${lines.join("\n")}`);
    this.name = "EngineError";
  }
}

/** Loads an engine that may be used. Throws EngineError with a list of all errors and their places. */
export function openEngine(folders: EngineFolders): WholeEngine {
  const { engine, diagnostics } = loadEngine(folders);
  refuseErrors(diagnostics);
  return engine;
}

/** Throws EngineError when there are errors among the diagnostics. */
export function refuseErrors(diagnostics: readonly Diagnostic[]): void {
  const errors = diagnostics.filter(({ level }) => level === "error");
  if (errors.length > 0) throw new EngineError(errors);
}
