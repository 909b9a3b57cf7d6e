import { readdirSync } from "node:fs";
import { join } from "node:path";
import { type Hash, readHash } from "../../kernel/hex.ts";
import type { CaseFile } from "../../model/case-file.ts";
import { CaseFileError, readCase } from "./case-format.ts";

export type Recordings = ReturnType<typeof openRecordings>;

/** Listed once, files read when asked for. Throws without the directory. */
export function openRecordings(dir: string, chainId: number) {
  const paths = new Map<Hash, string>();
  for (const name of readdirSync(dir)) {
    const hash = name.endsWith(".json") ? readHash(name.slice(0, -".json".length)) : undefined;
    if (hash !== undefined) paths.set(hash, join(dir, name));
  }
  return {
    /** undefined: none. Rejects with CaseFileError. */
    find(hash: Hash): Promise<CaseFile> | undefined {
      const path = paths.get(hash);
      return path === undefined ? undefined : readRecording(path, hash, chainId);
    },
  };
}

async function readRecording(path: string, hash: Hash, chainId: number): Promise<CaseFile> {
  const caseFile = await readCase(path);
  if (caseFile.tx_hash !== hash) throw new CaseFileError("wrong_hash", path, `/tx_hash is ${caseFile.tx_hash}`);
  if (caseFile.chain_id !== chainId) throw new CaseFileError("wrong_chain", path, `/chain_id is ${caseFile.chain_id}`);
  return caseFile;
}
