// Loads the shipped rules and labels, and says how long it took: for bench/startup.ts. `parse`: from the YAML, as the very first
// start does; `start`: as the server starts, which keeps what it parsed. startup-subject.js runs it.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadEngine } from "../../src/engine/engine.ts";
import { loadLabels } from "../../src/rules/labels/load.ts";
import { loadRuleset } from "../../src/rules/ruleset/load.ts";
import { root } from "../../test/support/shared.ts";

const [rulesDir, labelsDir] = [join(root, "rules"), join(root, "labels")];
const start = performance.now();
const diagnostics = process.argv[2] === "parse" ? parseAll() : loadEngine({ rulesDir, labelsDir }).diagnostics;
const errors = diagnostics.filter(({ level }) => level === "error");
if (errors.length > 0) throw new Error(`the rules have errors: ${errors[0]?.file} ${errors[0]?.message}`);
const loadMs = performance.now() - start;
const { user, system } = process.cpuUsage();
console.log(JSON.stringify({ loadMs, cpuMs: (user + system) / 1000 }));

function parseAll() {
  const cache = mkdtempSync(join(tmpdir(), "txgloss-start-"));
  const rules = loadRuleset(rulesDir, cache);
  rmSync(cache, { recursive: true });
  return [...rules.diagnostics, ...loadLabels(labelsDir, rules.ruleset.names).diagnostics];
}
