// The process entry. `npm start`, the Docker image and tests run this file; the start itself is in start/serve.ts.
import { serve } from "./start/serve.ts";

await serve();
