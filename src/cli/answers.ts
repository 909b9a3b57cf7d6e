import type { Engine } from "../engine/engine.ts";
import type { Answer } from "../explain/explain.ts";
import { chain } from "../kernel/chain-profile.ts";
import type { Hash } from "../kernel/hex.ts";
import { readCase, writeCase } from "../recordings/case-format.ts";
import type { Config } from "../settings/config.ts";
import { openExplainer } from "../start/open-explainer.ts";
import { UsageError } from "./command-line.ts";

/** Gathers and explains one transaction as the server does. Rejects with ServiceError. */
export async function explainTransaction(hash: Hash, config: Config, engine: Engine): Promise<Answer> {
  const explainer = openExplainer(config, engine);
  try {
    // A recording must not come before an endpoint that answers.
    if (config.recordingsDir !== null) await explainer.readHead();
    return await explainer.explain(hash);
  } finally {
    explainer.close();
  }
}

/** Explains a case file; nothing but the file is read. Rejects with CaseFileError, or UsageError for another chain's case. */
export async function replayCase(path: string, config: Config, engine: Engine): Promise<Answer> {
  const caseFile = await readCase(path);
  if (caseFile.chain_id !== chain.id)
    throw new UsageError(`${path} is a case of chain ${caseFile.chain_id}, not of ${chain.id}`);
  return openExplainer({ ...config, recordingsDir: null }, engine).replay(caseFile);
}

/** Gathers transactions one after the other and writes their case files. `report` learns how each one ended. */
export async function recordCases(
  hashes: readonly Hash[],
  { config, engine, dir }: { config: Config; engine: Engine; dir: string },
  report: (hash: Hash, outcome: { path: string } | { error: unknown }) => void,
): Promise<void> {
  const explainer = openExplainer(config, engine);
  for (const hash of hashes) {
    try {
      report(hash, { path: await writeCase(dir, await explainer.gather(hash)) });
    } catch (error) {
      report(hash, { error });
    }
  }
  explainer.close();
}
