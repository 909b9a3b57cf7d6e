// The install step runs this once. It parses rules and labels and compiles the service's code, so that the first start finds both in the
// caches.
import { useCodeCache } from "./runtime.js";

useCodeCache();
await import("./serve.ts");
const { loadEngine } = await import("../../engine/engine.ts");
const { readConfig } = await import("../settings/config.ts");

loadEngine(readConfig({}));
