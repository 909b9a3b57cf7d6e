// Runs once after an install: reads rules and labels, which leaves the parsed rules in the cache of the next start.
import { loadEngine } from "./assemble.ts";
import { readConfig } from "./config.ts";

loadEngine(readConfig({}));
