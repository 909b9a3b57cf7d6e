import { documentCache } from "../documents/kept-file.ts";
import { counted } from "../kernel/amount.ts";
import { loadLabels } from "../labels/load.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { ProtocolFacts } from "../model/told/protocol-facts.ts";
import { type Catalog, listCatalog } from "../ruleset/catalog.ts";
import { loadRuleset } from "../ruleset/load.ts";
import { describeProtocols } from "../ruleset/protocol-facts.ts";
import { buildEngine, type Engine } from "./build-engine.ts";
import { buildMessageEngine, type MessageEngine } from "./messages/message-engine.ts";
import { buildViewEngine, type ViewEngine } from "./view.ts";

/** Where rules and labels lie. Of several folders the later ones add to the earlier. */
export interface EngineFolders {
  rulesDir: string | readonly string[];
  labelsDir: string | readonly string[];
}

/** Decides transactions and messages, tells what they did to an account, and what its rules know. */
export interface WholeEngine extends Omit<Engine, "decide">, ViewEngine, MessageEngine {
  /** What the rules cover, for whoever asks. */
  catalog: Catalog;
  /** What the rule files know, in order of protocol. */
  protocols: readonly ProtocolFacts[];
}

/** Reads and compiles rules and labels. Mistakes in them are returned; an engine with errors among them is not to be used. */
export function loadEngine(folders: EngineFolders): {
  engine: WholeEngine;
  diagnostics: Diagnostic[];
} {
  const { ruleset, files, diagnostics } = loadRuleset(folders.rulesDir, documentCache);
  const names = loadLabels(folders.labelsDir, ruleset.names, documentCache);
  const deciding = buildEngine(ruleset, names.labels);
  const engine = {
    ...deciding,
    ...buildViewEngine(ruleset, names.labels, deciding.ruleset),
    ...buildMessageEngine(ruleset, names.labels),
    catalog: listCatalog(ruleset),
    protocols: describeProtocols(files),
  };
  return { engine, diagnostics: [...diagnostics, ...names.diagnostics] };
}

/** Rules or labels with errors: one could make a false sentence, so nothing is explained with them. */
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

/** Loads an engine to explain with. Throws EngineError that lists every error with its place. */
export function openEngine(folders: EngineFolders): WholeEngine {
  const { engine, diagnostics } = loadEngine(folders);
  refuseErrors(diagnostics);
  return engine;
}

/** Throws EngineError when there is an error among the diagnostics. */
export function refuseErrors(diagnostics: readonly Diagnostic[]): void {
  const errors = diagnostics.filter(({ level }) => level === "error");
  if (errors.length > 0) throw new EngineError(errors);
}
