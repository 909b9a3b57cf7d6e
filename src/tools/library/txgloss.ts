/**
 * Explains Base transactions: from case files and receipts that you have, or by hash over your RPC endpoints. For Node.js.
 *
 * ```ts
 * import { createExplainer } from "txgloss";
 *
 * const explainer = createExplainer({ rpcUrls: ["https://mainnet.base.org"] });
 * const { explanation } = await explainer.explain("0x…");
 * explainer.close();
 * ```
 *
 * @module
 */
import { join } from "node:path";
import { openEngine } from "../../engine/engine.ts";
import type { MessageEngine } from "../../engine/messages/message-engine.ts";
import { ServiceError } from "../../kernel/error.ts";
import { readHash } from "../../kernel/hex.ts";
import type { CaseFile } from "../../model/case-file.ts";
import type { Evidence } from "../../model/evidence.ts";
import type { Explanation } from "../../model/explanation.ts";
import { ConfigError, packageRoot, readConfig } from "../../serve/settings/config.ts";
import type { SettingName } from "../../serve/settings/setting-value.ts";
import { openExplainer } from "../../serve/start/open-explainer.ts";
import { type DecideEngine, decideOnly } from "./decide-engine.ts";
import { readGivenOptions, readGivenSettings } from "./given-options.ts";

export { EngineError } from "../../engine/engine.ts";
export { type ErrorCode, ServiceError } from "../../kernel/error.ts";
export type { SettingName } from "../../serve/settings/setting-value.ts";
export {
  type CaseFile,
  type CaseFileV1,
  type CaseInput,
  CaseInputError,
  type CaseInputErrorCode,
  caseFromReceipt,
  type DecideEngine,
  type Decision,
  type Evidence,
  type Explanation,
  type LookupPlan,
  type TokenInput,
  UndecidableCaseError,
} from "./decide.ts";
export {
  type MessageDecision,
  type MessageEngine,
  type MessageExplanation,
  type MessageInput,
  TypedDataError,
} from "./decide-message.ts";
export { ConfigError };

/** Folders of rules and labels; later ones add to earlier ones. Default: those of the package. */
export interface RuleFolders {
  rules?: string | readonly string[];
  labels?: string | readonly string[];
}

/**
 * Opens an engine from folders. Throws EngineError with all mistakes, also for a missing or empty folder; ConfigError for an unknown
 * option.
 */
export function createEngine(folders: RuleFolders = {}): DecideEngine & MessageEngine {
  const engine = openEngine(foldersOf(readGivenOptions(folders, ["rules", "labels"])));
  const { decideMessage, planMessage } = engine;
  return { ...decideOnly(engine), decideMessage, planMessage };
}

export interface ExplainerOptions extends RuleFolders {
  /** JSON-RPC endpoints of Base, at least one, asked in order. No others are asked. */
  rpcUrls: readonly string[];
  /** Settings by name (docs/operating.md). Environment variables are not read. */
  settings?: Readonly<Partial<Record<SettingName, string>>>;
}

/** Holds connections and a memory of answers until it is closed. */
export interface TransactionExplainer {
  /**
   * Explains a transaction by its hash: `0x` and 64 hex digits in any case. When `signal` fires it stops waiting. Rejects with
   * ServiceError: `invalid_tx_hash`, `transaction_not_found`, `transaction_pending`, `upstream_unavailable`, `overloaded`; with ConfigError
   * for an unknown option.
   */
  explain(hash: string, options?: { signal?: AbortSignal }): Promise<{ explanation: Explanation; evidence: Evidence }>;
  /** The case file of a transaction, for `decide`. Rejects with the same ServiceErrors. */
  gather(hash: string): Promise<CaseFile>;
  /** Closes connections and ends running work. */
  close(): void;
}

/**
 * Opens an explainer, which starts to ask which endpoints answer and, unless `LOOKUPS` is off, to load the drainer lists. Throws
 * ConfigError, which names each wrong option or setting, or EngineError.
 */
export function createExplainer(options: ExplainerOptions): TransactionExplainer {
  const { rpcUrls, settings, ...folders } = readGivenOptions(options, ["rpcUrls", "settings", "rules", "labels"]);
  const config = readConfig({ ...readGivenSettings(settings), RPC_URLS: joinUrls(rpcUrls), RECORDINGS_DIR: "" });
  const explainer = openExplainer({ ...config, recordingsDir: null }, openEngine(foldersOf(folders)));
  explainer.start();
  return {
    async explain(hash, given) {
      const { signal } = readGivenOptions(given, ["signal"]);
      const { explanation, evidence } = await explainer.explain(readGivenHash(hash), signal);
      return { explanation, evidence };
    },
    gather: async (hash) => explainer.gather(readGivenHash(hash)),
    close: () => explainer.close(),
  };
}

/** Empty is refused: as a setting it would mean the default endpoints, which are only for the command line. */
function joinUrls(urls: readonly string[] | undefined): string {
  if (Array.isArray(urls) && urls.length > 0) return urls.join(",");
  throw new ConfigError(["rpcUrls: expected a list of one URL or more."]);
}

function foldersOf({ rules = join(packageRoot, "rules"), labels = join(packageRoot, "labels") }: RuleFolders) {
  return { rulesDir: rules, labelsDir: labels };
}

function readGivenHash(text: string) {
  const hash = readHash(text);
  if (hash === undefined) throw new ServiceError("invalid_tx_hash");
  return hash;
}
