import { enableCompileCache } from "node:module";
import { fileURLToPath } from "node:url";
import { setFlagsFromString } from "node:v8";

/**
 * Keeps an exit from hanging. When a thread of V8 that compiles code waits for a collection of garbage, and the main thread ends the
 * process at that moment, each waits for the other for ever (seen with Node.js 24.21, on busy machines). Such code is compiled on the
 * main thread instead. Call it before anything is loaded.
 */
export function keepExitFree() {
  setFlagsFromString("--no-concurrent-sparkplug");
}

/**
 * Keeps V8 from placing new objects among the old ones. It does so where objects of one kind lived long before, and a start makes
 * many that do: the rules. Then what is made for one transaction stays until the next full collection, and collecting garbage takes
 * up to 20 % of the time instead of 2 %. Call it before anything is loaded.
 */
export function keepObjectsYoung() {
  setFlagsFromString("--no-allocation-site-pretenuring");
}

/**
 * Lets Node.js keep the compiled code of modules that are loaded from now on, so that a later start neither strips types nor
 * compiles again. Entries are named by the source text. A folder that cannot be written to only costs time.
 */
export function useCodeCache() {
  enableCompileCache(fileURLToPath(new URL("../../../node_modules/.cache/txgloss/code", import.meta.url)));
}
