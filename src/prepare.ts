// Runs once after an install: reads rules and labels, which leaves the parsed rules in the cache of the next start.

import { readConfig } from "./config.ts";
import { loadEngine } from "./engine/engine.ts";

loadEngine(readConfig({}));
