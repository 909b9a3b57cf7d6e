#!/usr/bin/env node
import { useCodeCache } from "../start/code-cache.ts";
import { keepExitFree } from "../start/free-exit.ts";
import { keepObjectsYoung } from "../start/young-objects.ts";

keepExitFree();
keepObjectsYoung();
useCodeCache();
await (await import("./commands.ts")).runCommandLine(process.argv.slice(2));
