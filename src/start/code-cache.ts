import { enableCompileCache } from "node:module";
import { fileURLToPath } from "node:url";

/**
 * Lets Node.js keep the compiled code of modules that are loaded from now on, so that a later start neither strips types nor
 * compiles again. Entries are named by the source text. A folder that cannot be written to only costs time.
 */
export function useCodeCache(): void {
  enableCompileCache(fileURLToPath(new URL("../../node_modules/.cache/txgloss/code", import.meta.url)));
}
