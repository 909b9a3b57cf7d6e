import { readdirSync } from "node:fs";
import { join } from "node:path";
import { assert } from "../kernel/error.ts";
import { type Hash, readHash } from "../kernel/hex.ts";
import type { CaseFile } from "../model/case-file.ts";
import { CaseFileError, readCase } from "./record.ts";

/** Recorded cases of one directory. */
export interface Recordings {
  has(hash: Hash): boolean;
  /** Reads the case of a hash that {@link Recordings.has}. Rejects with CaseFileError. */
  read(hash: Hash): Promise<CaseFile>;
}

/** Lists the directory once; files are read when they are asked for. Throws when there is no such directory. */
export function openRecordings(dir: string, chainId: number): Recordings {
  const names = new Map<Hash, string>();
  for (const name of readdirSync(dir)) {
    const hash = name.endsWith(".json") ? readHash(name.slice(0, -".json".length)) : undefined;
    if (hash !== undefined) names.set(hash, name);
  }
  return {
    has: (hash) => names.has(hash),
    async read(hash) {
      const name = names.get(hash);
      assert(name !== undefined, `no recording of ${hash}`);
      const path = join(dir, name);
      const caseFile = await readCase(path);
      if (caseFile.tx_hash !== hash) throw new CaseFileError(path, `/tx_hash is ${caseFile.tx_hash}`);
      if (caseFile.chain_id !== chainId) throw new CaseFileError(path, `/chain_id is ${caseFile.chain_id}`);
      return caseFile;
    },
  };
}
