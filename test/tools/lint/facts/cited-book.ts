import { join } from "node:path";
import { runVerifySources } from "../../../../src/tools/cli/verify-sources.ts";
import { commitFiles, makeFolder, oldPool, pool, router, writeRules } from "./book.ts";

/** No recording stands here. */
export const noRecordings = makeFolder();

export const book = {
  "addresses.json": JSON.stringify({ base: { POOL: pool }, arbitrum: { OLD_POOL: oldPool } }),
  "docs/README.md": `# Base\n\n| Router | ${router} |\n`,
};

/** A folder of clones with one repository, and the id of its commit. */
export function openBook() {
  const repos = makeFolder();
  return { repos, commit: commitFiles(join(repos, "owner+book"), book) };
}

/** What is said of one source of the pool. */
export async function verdict(source: string, options: readonly string[], address = pool) {
  const path = writeRules({ pool: { address, sources: [source] } });
  const { status, out } = await runVerifySources([path, "--json", "--recordings", noRecordings, ...options]);
  const { sources } = JSON.parse(out) as { sources: { status: string; detail: string }[] };
  return { exit: status, status: sources[0]?.status, detail: sources[0]?.detail };
}
