// At install: fills the caches of rules and compiled code for the first start.
import { useCodeCache } from "./runtime.js";

useCodeCache();
await import("./serve.ts");
const { loadEngine } = await import("../../engine/engine.ts");
const { readConfig } = await import("../settings/config.ts");

loadEngine(readConfig({}));
