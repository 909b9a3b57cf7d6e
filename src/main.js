// The process entry. `npm start`, the Docker image and tests run this file; the start itself is in start/serve.ts, which is loaded
// once the code cache is on. Plain JavaScript, as is what it imports at once: to strip types before the cache is on takes 60 ms.
import { keepExitFree, keepObjectsYoung, useCodeCache } from "./serve/start/runtime.js";

keepExitFree();
keepObjectsYoung();
useCodeCache();
const { serve } = await import("./serve/start/serve.ts");
await serve();
