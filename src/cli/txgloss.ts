#!/usr/bin/env node
import { useCodeCache } from "../start/code-cache.ts";
import { keepObjectsYoung } from "../start/young-objects.ts";

keepObjectsYoung();
useCodeCache();
await import("./commands.ts");
