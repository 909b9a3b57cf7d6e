// The process entry. `npm start`, the Docker image and tests run this file; the start itself is in start/serve.ts, which is loaded
// once the code cache is on.
import { useCodeCache } from "./start/code-cache.ts";
import { keepExitFree } from "./start/free-exit.ts";
import { keepTickShape } from "./start/tick-shape.ts";
import { keepObjectsYoung } from "./start/young-objects.ts";

keepExitFree();
keepObjectsYoung();
keepTickShape();
useCodeCache();
const { serve } = await import("./start/serve.ts");
await serve();
