// The process entry. `npm start`, the Docker image and tests run this file; the start itself is in start/serve.ts, which is loaded
// once the code cache is on.
import { keepExitFree, keepObjectsYoung, keepTickShape, useCodeCache } from "./start/runtime.ts";

keepExitFree();
keepObjectsYoung();
keepTickShape();
useCodeCache();
const { serve } = await import("./start/serve.ts");
await serve();
