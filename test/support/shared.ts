import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** The package's own folder. */
export const root = fileURLToPath(new URL("../..", import.meta.url));

/** The folder of shared corpus and tools beside the checkout, or undefined: what needs it is then skipped, visibly. */
export function findShared(...path: string[]): string | undefined {
  const found = resolve(process.env.SHARED_DIR ?? resolve(root, "../shared"), ...path);
  return existsSync(found) ? found : undefined;
}
