#!/usr/bin/env node
// In a checkout the sources run. The package holds the compiled code instead.
import "./check-node.js";
import { existsSync } from "node:fs";

const source = new URL("../src/tools/cli/txgloss.ts", import.meta.url);
await import(existsSync(source) ? source.href : new URL("../dist/tools/cli/txgloss.js", import.meta.url).href);
