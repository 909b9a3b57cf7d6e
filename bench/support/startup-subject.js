// Turns the code cache on, as src/main.js does, and then loads what is measured: for bench/startup.ts.
import { useCodeCache } from "../../src/serve/start/runtime.js";

useCodeCache();
await import("./startup-load.ts");
