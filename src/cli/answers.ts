import { chainId, type Engine, openExplainer, openGatherer } from "../assemble.ts";
import { readCase, writeCase } from "../chain/record.ts";
import { type Answer, createExplainer } from "../explain.ts";
import type { Hash } from "../kernel/hex.ts";
import type { CaseFile } from "../model/case-file.ts";
import type { Config } from "../settings/config.ts";
import { UsageError } from "./command-line.ts";

/** Gathers and explains one transaction as the server does. Rejects with ServiceError. */
export async function explainTransaction(hash: Hash, config: Config, engine: Engine): Promise<Answer> {
  const gatherer = openGatherer(config, engine);
  try {
    return await openExplainer(config, engine, gatherer).explain(hash);
  } finally {
    gatherer.close();
  }
}

/** Explains a case file; nothing but the file is read. Rejects with CaseFileError, or UsageError for another chain's case. */
export async function replayCase(path: string, engine: Engine): Promise<Answer> {
  const caseFile = await readCase(path);
  if (caseFile.chain_id !== chainId)
    throw new UsageError(`${path} is a case of chain ${caseFile.chain_id}, not of ${chainId}`);
  const { decide } = engine;
  const gather = async (): Promise<CaseFile> => caseFile;
  return createExplainer({ gather, decide, lifetime: () => 0, cacheBytes: 1 }).explain(caseFile.tx_hash);
}

/** Gathers transactions one after the other and writes their case files. `report` learns how each one ended. */
export async function recordCases(
  hashes: readonly Hash[],
  { config, engine, dir }: { config: Config; engine: Engine; dir: string },
  report: (hash: Hash, outcome: { path: string } | { error: unknown }) => void,
): Promise<void> {
  const gatherer = openGatherer(config, engine);
  for (const hash of hashes) {
    try {
      report(hash, { path: await writeCase(dir, await gatherer.gather(hash)) });
    } catch (error) {
      report(hash, { error });
    }
  }
  gatherer.close();
}
