#!/usr/bin/env node
import { keepExitFree, keepObjectsYoung, useCodeCache } from "../../serve/start/runtime.js";

keepExitFree();
keepObjectsYoung();
useCodeCache();
await (await import("./commands.ts")).runCommandLine(process.argv.slice(2));
