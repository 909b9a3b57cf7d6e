import { createHash } from "node:crypto";
import { fileURLToPath } from "node:url";
import packageJson from "../package.json" with { type: "json" };
import { createGatherer, type Gatherer } from "./chain/gather.ts";
import { caseLifetime, lifetimes } from "./chain/lifetime.ts";
import { openRecordings } from "./chain/recordings.ts";
import { decide, planGathering, planRiskLookups } from "./engine/decide.ts";
import { createExplainer, type Explainer } from "./explain.ts";
import { assert } from "./kernel/error.ts";
import { loadLabels } from "./labels/load.ts";
import { createChainlinkPrice } from "./lookups/price.ts";
import { openRiskSources } from "./lookups/risk-sources.ts";
import type { CaseFile } from "./model/case-file.ts";
import type { Decision } from "./model/decision.ts";
import type { Diagnostic } from "./model/diagnostic.ts";
import type { GatherPlan } from "./model/gather-plan.ts";
import type { Labels } from "./model/label.ts";
import type { RiskPlan } from "./model/risk-lookups.ts";
import { type Catalog, listCatalog } from "./ruleset/catalog.ts";
import { loadRuleset } from "./ruleset/load.ts";
import type { Config } from "./settings/config.ts";

/** The version of the package. */
export const version: string = packageJson.version;

/** Base. */
export const chainId = 8453;

/** The deciding half with its rules and labels: no network. */
export interface Engine {
  /** Hash of rules, labels and engine version: equal hashes give equal explanations. */
  ruleset: string;
  /** Every value of action_type. */
  actionTypes: readonly string[];
  /** What the rules cover, for whoever asks. */
  catalog: Catalog;
  labels: Labels;
  decide(caseFile: CaseFile): Decision;
  planLookups(draft: CaseFile): GatherPlan;
  /** At most `lookupsMax` addresses cost a lookup. */
  planRisk(draft: CaseFile, lookupsMax: number): RiskPlan;
}

/** Where tools keep what they can make again. */
const ruleCache = fileURLToPath(new URL("../node_modules/.cache/txgloss", import.meta.url));

/** Reads and compiles rules and labels. Mistakes in them are returned; an engine with errors among them is not to be used. */
export function loadEngine(config: Pick<Config, "rulesDir" | "labelsDir">): {
  engine: Engine;
  diagnostics: Diagnostic[];
} {
  const rules = loadRuleset(config.rulesDir, ruleCache);
  const names = loadLabels(config.labelsDir, rules.ruleset.names);
  const { ruleset } = rules;
  const { labels } = names;
  const engine: Engine = {
    ruleset: hashOf(version, ruleset.fingerprint, labels.fingerprint),
    actionTypes: [...ruleset.actions.keys()].sort(),
    catalog: listCatalog(ruleset),
    labels,
    decide(caseFile) {
      const { explanation, evidence } = decide(caseFile, ruleset, labels);
      // The hash that callers see is of labels and version too.
      return { explanation, evidence: () => ({ ...evidence(), ruleset: engine.ruleset }) };
    },
    planLookups: (draft) => planGathering(draft, ruleset, labels),
    planRisk: (draft, lookupsMax) => planRiskLookups(draft, ruleset, labels, lookupsMax),
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

/** The same for whoever explains with it. Throws EngineError that lists every error with its place. */
export function openEngine(config: Pick<Config, "rulesDir" | "labelsDir">): Engine {
  const { engine, diagnostics } = loadEngine(config);
  const errors = diagnostics.filter(({ level }) => level === "error");
  if (errors.length > 0) throw new EngineError(errors);
  return engine;
}

/** A gatherer that can be made ready before the first question. */
export interface ConfiguredGatherer extends Gatherer {
  /** Begins to load the drainer lists. */
  start(): void;
}

/** The gathering half over the configured sources. Nothing is sent yet. */
export function openGatherer(config: Config, engine: Engine): ConfiguredGatherer {
  const [multicall] = engine.labels.system("multicall3");
  const [feed] = engine.labels.system("eth_usd_feed");
  assert(multicall !== undefined, "labels name no multicall3");
  const { lookups, blockscoutUrl } = config;
  const sources = lookups === null ? null : openRiskSources({ chainId, blockscoutUrl, ...lookups });
  const gatherer = createGatherer({
    chainId,
    rpcUrls: config.rpcUrls,
    blockscoutUrl,
    recordingsDir: config.recordingsDir,
    callTimeoutMs: config.rpcTimeoutMs,
    deadlineMs: config.deadlineMs,
    multicall,
    planLookups: engine.planLookups,
    price: feed === undefined ? null : createChainlinkPrice(feed),
    risk: sources && { plan: (draft) => engine.planRisk(draft, lookups?.max ?? 0), look: sources.look },
  });
  return {
    ...gatherer,
    start: () => void sources?.refresh(),
    close() {
      gatherer.close();
      sources?.close();
    },
  };
}

/** Both halves. A recorded case never changes, so its answer is kept however much of it was unavailable when it was recorded. */
export function openExplainer(config: Config, engine: Engine, gatherer: Gatherer): Explainer {
  const recordings = config.recordingsDir === null ? null : openRecordings(config.recordingsDir, chainId);
  return createExplainer({
    gather: (hash) => gatherer.gather(hash),
    decide: engine.decide,
    lifetime: (caseFile) =>
      recordings?.has(caseFile.tx_hash) ? lifetimes.settled : caseLifetime(caseFile, Date.now()),
    cacheBytes: config.cacheBytes,
  });
}

function hashOf(...parts: readonly string[]): string {
  return createHash("sha256").update(parts.join("\n")).digest("hex").slice(0, 32);
}
