import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** The package's own folder. */
export const root = fileURLToPath(new URL("../..", import.meta.url));

/**
 * A path in the folder of shared test data and tools beside the checkout. Undefined where it does not exist; the tests that need it are
 * then reported as skipped.
 */
export function findShared(...path: string[]): string | undefined {
  const found = resolve(process.env.SHARED_DIR ?? resolve(root, "../shared"), ...path);
  return existsSync(found) ? found : undefined;
}
