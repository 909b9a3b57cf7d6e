import { setFlagsFromString } from "node:v8";

/**
 * Keeps an exit from hanging. When a thread of V8 that compiles code waits for a collection of garbage, and the main thread ends the
 * process at that moment, each waits for the other for ever (seen with Node.js 24.21, on busy machines). Such code is compiled on the
 * main thread instead. Call it before anything is loaded.
 */
export function keepExitFree(): void {
  setFlagsFromString("--no-concurrent-sparkplug");
}
