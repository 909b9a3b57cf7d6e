// The install step runs this once. It parses rules and labels and fills the cache, so that the first start is fast too.
import { loadEngine } from "../engine/engine.ts";
import { readConfig } from "../settings/config.ts";

loadEngine(readConfig({}));
