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

/** Later folders add to earlier ones. */
export interface EngineFolders {
  rulesDir: string | readonly string[];
  labelsDir: string | readonly string[];
}

/** Transactions, messages, and a description of the rules. */
export interface WholeEngine extends Engine, MessageEngine {
  catalog: Catalog;
  /** By id. */
  protocols: readonly ProtocolFacts[];
}

/** Throws nothing: mistakes are returned. An engine with errors must not be used. */
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

/** A wrong rule could make a false sentence, so nothing is explained. */
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

/** Throws EngineError with all errors and their places. */
export function openEngine(folders: EngineFolders): WholeEngine {
  const { engine, diagnostics } = loadEngine(folders);
  refuseErrors(diagnostics);
  return engine;
}

/** Throws EngineError. */
export function refuseErrors(diagnostics: readonly Diagnostic[]): void {
  const errors = diagnostics.filter(({ level }) => level === "error");
  if (errors.length > 0) throw new EngineError(errors);
}
