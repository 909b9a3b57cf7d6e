import { existsSync } from "node:fs";
import { openEngine, type WholeEngine } from "../../engine/engine.ts";
import { readCase } from "../../gather/recordings/case-format.ts";
import { chain } from "../../kernel/chain-profile.ts";
import { readHash } from "../../kernel/hex.ts";
import type { CaseFile } from "../../model/case-file.ts";
import { type Config, readConfig } from "../../serve/settings/config.ts";
import { type OpenedExplainer, openExplainer } from "../../serve/start/open-explainer.ts";
import { UsageError } from "../terminal/command-table.ts";
import { namingFile } from "../terminal/file-problem.ts";

/** Like the server's; closed after `use`. */
export async function withExplainer<T>(
  config: Config,
  use: (explainer: OpenedExplainer, engine: WholeEngine) => Promise<T>,
): Promise<T> {
  const engine = openEngine(config);
  const explainer = openExplainer(config, engine);
  try {
    return await use(explainer, engine);
  } finally {
    explainer.close();
  }
}

/** No recordings. URLs replace the endpoints of the settings. */
export function networkConfig(rpcUrls: readonly string[]): Config {
  return { ...readConfig(), recordingsDir: null, ...(rpcUrls.length > 0 && { rpcUrls }) };
}

/** Rejects as readCase does, and with UsageError for a hash or another chain. */
export async function readOwnCase(path: string): Promise<CaseFile> {
  if (readHash(path) !== undefined && !existsSync(path))
    throw new UsageError(`${path} is a hash, and a case file was expected; \`txgloss explain\` takes a hash`);
  const caseFile = await readCase(path).catch(namingFile(path));
  if (caseFile.chain_id === chain.id) return caseFile;
  throw new UsageError(`${path} is a case of chain ${caseFile.chain_id}, not of ${chain.id}`);
}
